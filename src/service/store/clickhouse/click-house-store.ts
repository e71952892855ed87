import { isDeepStrictEqual } from 'node:util';
import type { ClickHouseClient } from '@clickhouse/client';
import { parseJson } from '../../../base/parse-json.ts';
import { clickhouse } from '../../../lang/engines/sql/dialects/clickhouse.ts';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../../lang/engines/sql/sql-source.ts';
import type { Properties } from '../../../lang/value.ts';
import type { FolderHold } from '../../storage/folder-hold.ts';
import type { LogFile } from '../../storage/log-files.ts';
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
import { dropTemporaryTables, LogFlush } from './log-flush.ts';
import { PromotedColumns } from './promoted-columns.ts';
import { Topology } from './topology.ts';
import { VersionTables } from './version-tables.ts';

export interface ClickHouseStoreOptions {
  /**
   * The cluster to distribute versions over, by its name in the server configuration. Default: a single server.
   */
  readonly cluster?: string;
  /** The right to change the data folder, if servers share it: without it, the store writes nothing. */
  readonly hold?: FolderHold | undefined;
}

/** A store in a ClickHouse database. */
export class ClickHouseStore implements Store {
  /** The IDs of versions that were found to be complete. */
  private readonly complete = new Set<string>();

  private constructor(
    private readonly database: ClickHouseDatabase,
    private readonly topology: Topology,
  ) {}

  /**
   * Opens a store on a client, which the store closes.
   *
   * @throws {StoreError} if the database cannot be reached or the user may not define functions.
   */
  static async open(
    client: ClickHouseClient,
    { cluster, hold }: ClickHouseStoreOptions = {},
  ): Promise<ClickHouseStore> {
    const database = new ClickHouseDatabase(client, hold);
    const topology =
      cluster === undefined ? new Topology() : new Topology({ name: cluster, database: await database.name() });
    await database.commands(clickhouse.setup.map((statement) => topology.defineFunction(statement)));
    return new ClickHouseStore(database, topology);
  }

  async flush(version: StoredVersion, kind: RecordKind, files: readonly LogFile[]): Promise<void> {
    await this.assertComplete(version);
    await new LogFlush(this.database, this.topology, this.tables(version), kind).run(files);
  }

  async readFlushed(version: StoredVersion): Promise<Flushed> {
    const tables = this.tables(version);
    const kinds = RECORD_KINDS.map(async (kind) => [kind, await this.countFlushed(tables, kind)]);
    const flushed: Flushed = Object.fromEntries(await Promise.all(kinds));
    assertFlushed(version, flushed);
    this.complete.add(version.id);
    return flushed;
  }

  /** Reads all columns, so that the database checks its checksums. */
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
    for await (const { event, properties } of found) yield { event, properties: parseJson(properties) as Properties };
  }

  async *people(version: StoredVersion): AsyncGenerator<StoredPerson> {
    const found = this.database.stream<{ distinct_id: string; properties: string }>(
      `SELECT distinct_id, properties FROM ${this.tables(version).view('people')} ORDER BY distinct_id`,
    );
    for await (const { distinct_id, properties } of found) {
      yield { distinctId: distinct_id, properties: parseJson(properties) as Properties };
    }
  }

  /**
   * Returns the SQL table of a version. A flush can add columns, so a result is valid only if this returns the same
   * after the query as before.
   */
  async sourceOf(version: StoredVersion, kind: RecordKind = 'events'): Promise<SqlSource> {
    const tables = this.tables(version);
    const columns = await new PromotedColumns(this.database, this.topology, tables, kind).readByProperty();
    return { table: tables.view(kind), properties: { columns, rest: { kind: 'json', column: 'properties' } } };
  }

  /** Repeats `work` if a flush added columns meanwhile. */
  async read<Result>(
    versions: readonly StoredVersion[],
    work: (snapshot: StoreSnapshot) => Promise<Result>,
    { signal }: SnapshotOptions = {},
  ): Promise<Result> {
    for (const version of versions) await this.assertComplete(version);
    for (;;) {
      const sources = await this.listSources(versions);
      const result = await work(createSnapshot(this.database, this.topology, sources, signal));
      if (isDeepStrictEqual(sources, await this.listSources(versions))) return result;
    }
  }

  async drop(version: StoredVersion): Promise<void> {
    this.complete.delete(version.id);
    const tables = this.tables(version);
    await this.database.commands(tables.drop());
    await dropTemporaryTables(this.database, this.topology, tables);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /**
   * Compares a version with its flushed records on first use. Counting takes as long as a short query.
   */
  private async assertComplete(version: StoredVersion): Promise<void> {
    if (version.flushed !== undefined && !this.complete.has(version.id)) await this.readFlushed(version);
  }

  private async countFlushed(tables: VersionTables, kind: RecordKind): Promise<FlushedRecords> {
    const commits = `(SELECT max(arrayMax(files)) FROM ${tables.commitsOf(kind)})`;
    const found = this.database.stream<{ records: string | number; file: string }>(
      `SELECT count() AS records, ${commits} AS file FROM ${tables.view(kind)}`,
    );
    for await (const { records, file } of found) return { records: Number(records), lastFile: file };
    return NOTHING_FLUSHED[kind];
  }

  /** Returns the tables of the versions that exist. */
  private async listSources(versions: readonly StoredVersion[]): Promise<VersionSources[]> {
    const found = await this.database.rows<{ name: string }>(
      'SELECT name FROM system.tables WHERE database = currentDatabase()',
    );
    const names = new Set(found.map(({ name }) => name));
    const sources: VersionSources[] = [];
    for (const [place, version] of versions.entries()) {
      if (!RECORD_KINDS.every((kind) => names.has(this.tables(version).view(kind)))) {
        assertFlushed(version, NOTHING_FLUSHED);
        continue;
      }
      sources.push({
        events: await this.localSource(version, 'events'),
        people: await this.localSource(version, 'people'),
        place,
      });
    }
    return sources;
  }

  /** Returns the SQL table of a version on each shard. */
  private async localSource(version: StoredVersion, kind: RecordKind): Promise<SqlSource> {
    const table = this.topology.locate(this.tables(version).view(kind));
    return { ...(await this.sourceOf(version, kind)), table };
  }

  private tables(version: StoredVersion): VersionTables {
    return new VersionTables(version, this.topology);
  }
}

/**
 * Return 64-bit integers as JSON numbers and NULL for missing rows of a join, and stop queries of closed connections.
 */
const READ_SETTINGS = {
  output_format_json_quote_64bit_integers: 0,
  join_use_nulls: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // An expression has up to 256 levels, each with several levels of SQL. The default is 1,000.
  max_parser_depth: '4000',
  max_ast_depth: '4000',
  // On a cluster, a statement repeats its expressions for each table of groups. The default is 256 KiB.
  max_query_size: String(2 ** 21),
  // Merging the steps that find the UTC offset of a date copies each step many times, which takes all memory.
  query_plan_merge_expressions: 0,
} as const;

function createSnapshot(
  database: ClickHouseDatabase,
  { gather }: Topology,
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
    parameters: [],
    gather,
    stream,
    rows: async (sql, parameters) => collectRows(stream(sql, parameters)),
  };
}
