import { isDeepStrictEqual } from 'node:util';
import type { ClickHouseClient } from '@clickhouse/client';
import { clickhouse } from '../../../lang/engines/sql/dialects/clickhouse.ts';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../../lang/engines/sql/sql-source.ts';
import type { LogSegment } from '../../storage/segment-folder.ts';
import { assertFlushed } from '../assert-flushed.ts';
import {
  type Flushed,
  type FlushedRecords,
  NOTHING_FLUSHED,
  RECORD_KINDS,
  type RecordKind,
  type Store,
  type StoredEvent,
  type StoredPerson,
  type StoredVersion,
} from '../store.ts';
import type { JsonSqlRow, SnapshotOptions, StoreSnapshot, VersionSources } from '../store-snapshot.ts';
import { collectRows } from '../store-snapshot.ts';
import { ClickHouseDatabase } from './database.ts';
import { PromotedColumns } from './promoted-columns.ts';
import { SegmentFlush } from './segment-flush.ts';
import { Topology } from './topology.ts';
import { VersionTables } from './version-tables.ts';

export interface ClickHouseStoreOptions {
  /**
   * The cluster to spread versions over, by its name in the configuration of the servers. Default: the server alone.
   */
  readonly cluster?: string;
}

/** Versions in the database of a ClickHouse client. */
export class ClickHouseStore implements Store {
  /** The versions that were found to be whole. */
  private readonly whole = new Set<string>();

  private constructor(
    private readonly database: ClickHouseDatabase,
    private readonly topology: Topology,
  ) {}

  /**
   * Takes over a client, which the store closes.
   *
   * @throws {StoreError} where the database cannot be reached or does not let the user define functions.
   */
  static async open(client: ClickHouseClient, { cluster }: ClickHouseStoreOptions = {}): Promise<ClickHouseStore> {
    const database = new ClickHouseDatabase(client);
    const topology =
      cluster === undefined ? new Topology() : new Topology({ name: cluster, database: await database.name() });
    await database.commands(clickhouse.setup.map((statement) => topology.defineFunction(statement)));
    return new ClickHouseStore(database, topology);
  }

  async flush(version: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void> {
    await this.expectWhole(version);
    await new SegmentFlush(this.database, this.topology, this.tables(version), kind).run(segments);
  }

  async readFlushed(version: StoredVersion): Promise<Flushed> {
    const tables = this.tables(version);
    const kinds = RECORD_KINDS.map(async (kind) => [kind, await this.readFlushedOf(tables, kind)]);
    const flushed: Flushed = Object.fromEntries(await Promise.all(kinds));
    assertFlushed(version, flushed);
    this.whole.add(version.id);
    return flushed;
  }

  /** The database checks its checksums as it reads. */
  async verify(version: StoredVersion): Promise<void> {
    await this.readFlushed(version);
    for (const kind of RECORD_KINDS) {
      for await (const _ of this.database.stream(`SELECT sum(cityHash64(*)) FROM ${this.tables(version).view(kind)}`));
    }
  }

  async *events(version: StoredVersion): AsyncGenerator<StoredEvent> {
    const found = this.database.stream<{ event: string; properties: string }>(
      `SELECT event, properties FROM ${this.tables(version).view('events')} ORDER BY time`,
    );
    for await (const { event, properties } of found) yield { event, properties: JSON.parse(properties) };
  }

  async *people(version: StoredVersion): AsyncGenerator<StoredPerson> {
    const found = this.database.stream<{ distinct_id: string; properties: string }>(
      `SELECT distinct_id, properties FROM ${this.tables(version).view('people')} ORDER BY distinct_id`,
    );
    for await (const { distinct_id, properties } of found) {
      yield { distinctId: distinct_id, properties: JSON.parse(properties) };
    }
  }

  /**
   * Where expressions find the properties of the records that are flushed. A flush can add columns: an answer is right
   * where the source is the same after the query as before it.
   */
  async sourceOf(version: StoredVersion, kind: RecordKind = 'events'): Promise<SqlSource> {
    const tables = this.tables(version);
    const columns = await new PromotedColumns(this.database, this.topology, tables, kind).byProperty();
    return { table: tables.view(kind), properties: { columns, rest: { kind: 'json', column: 'properties' } } };
  }

  /** What columns there are can change with each flush: the work is done again where it did meanwhile. */
  async read<Result>(
    versions: readonly StoredVersion[],
    work: (reading: StoreSnapshot) => Promise<Result>,
    { signal }: SnapshotOptions = {},
  ): Promise<Result> {
    for (const version of versions) await this.expectWhole(version);
    for (;;) {
      const sources = await this.sources(versions);
      const result = await work(lent(this.database, sources, signal));
      if (isDeepStrictEqual(sources, await this.sources(versions))) return result;
    }
  }

  async drop(version: StoredVersion): Promise<void> {
    this.whole.delete(version.id);
    await this.database.commands(this.tables(version).drop());
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /**
   * Compares what there is of a version with what was flushed, when it is used first: to count takes as long as a short
   * query.
   */
  private async expectWhole(version: StoredVersion): Promise<void> {
    if (version.flushed !== undefined && !this.whole.has(version.id)) await this.readFlushed(version);
  }

  private async readFlushedOf(tables: VersionTables, kind: RecordKind): Promise<FlushedRecords> {
    const commits = `(SELECT max(arrayMax(segments)) FROM ${tables.commits.name} WHERE kind = '${kind}')`;
    const found = this.database.stream<{ records: string | number; segment: string }>(
      `SELECT count() AS records, ${commits} AS segment FROM ${tables.view(kind)}`,
    );
    for await (const { records, segment } of found) return { records: Number(records), segment };
    return NOTHING_FLUSHED[kind];
  }

  /** Those of versions that are there. */
  private async sources(versions: readonly StoredVersion[]): Promise<VersionSources[]> {
    const found = await this.database.rows<{ name: string }>(
      'SELECT name FROM system.tables WHERE database = currentDatabase()',
    );
    const names = new Set(found.map(({ name }) => name));
    const sources: VersionSources[] = [];
    for (const version of versions) {
      if (!RECORD_KINDS.every((kind) => names.has(this.tables(version).view(kind)))) {
        assertFlushed(version, NOTHING_FLUSHED);
        continue;
      }
      sources.push({ events: await this.sourceOf(version, 'events'), people: await this.sourceOf(version, 'people') });
    }
    return sources;
  }

  private tables(version: StoredVersion): VersionTables {
    return new VersionTables(version, this.topology);
  }
}

/**
 * Numbers of rows are numbers in JSON too, what a join does not find is missing, and nobody works for a client that has
 * gone.
 */
const READ_SETTINGS = {
  output_format_json_quote_64bit_integers: 0,
  join_use_nulls: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // An expression has up to 256 levels, each with several of SQL. By default, there may be 1,000.
  max_parser_depth: '4000',
  max_ast_depth: '4000',
} as const;

function lent(
  database: ClickHouseDatabase,
  versions: readonly VersionSources[],
  signal: AbortSignal | undefined,
): StoreSnapshot {
  const stream = (sql: string, parameters: readonly SqlValue[]) =>
    database.chunks<JsonSqlRow>(sql, {
      parameters: Object.fromEntries(parameters.map((value, index) => [`p${index + 1}`, value])),
      settings: READ_SETTINGS,
      ...(signal !== undefined && { signal }),
    });
  return {
    dialect: clickhouse,
    isSnapshot: false,
    versions,
    stream,
    rows: async (sql, parameters) => collectRows(stream(sql, parameters)),
  };
}
