import type { ClickHouseClient } from '@clickhouse/client';
import { clickhouse } from '../../engines/sql/dialects/clickhouse.ts';
import type { SqlSource } from '../../engines/sql/sql-source.ts';
import type { LogSegment } from '../../storage/log-segment.ts';
import type { RecordKind, Store, StoredEvent, StoredPerson, StoredVersion } from '../store.ts';
import { Database } from './database.ts';
import { PromotedColumns } from './promoted-columns.ts';
import { Settlement } from './settlement.ts';
import { Topology } from './topology.ts';
import { VersionTables } from './version-tables.ts';

export interface ClickHouseStoreOptions {
  /** The cluster to spread versions over, by its name in the configuration of the servers. Default: the server alone. */
  readonly cluster?: string;
}

/** Versions in the database of a ClickHouse client. */
export class ClickHouseStore implements Store {
  private constructor(
    private readonly database: Database,
    private readonly topology: Topology,
  ) {}

  /**
   * Takes over a client, which the store closes.
   *
   * @throws {StoreError} where the database cannot be reached or does not let the user define functions.
   */
  static async open(client: ClickHouseClient, { cluster }: ClickHouseStoreOptions = {}): Promise<ClickHouseStore> {
    const database = new Database(client);
    const topology =
      cluster === undefined ? new Topology() : new Topology({ name: cluster, database: await database.name() });
    await database.commands(clickhouse.setup.map((statement) => topology.defineFunction(statement)));
    return new ClickHouseStore(database, topology);
  }

  async settle(version: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void> {
    await new Settlement(this.database, this.topology, this.tables(version), kind).run(segments);
  }

  async count(version: StoredVersion, kind: RecordKind): Promise<number> {
    const counted = this.database.stream<{ records: string | number }>(
      `SELECT count() AS records FROM ${this.tables(version).view(kind)}`,
    );
    for await (const { records } of counted) return Number(records);
    return 0;
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
   * Where expressions find the properties of the records that are settled. A settle can add columns: an answer is right where the
   * source is the same after the query as before it.
   */
  async sourceOf(version: StoredVersion, kind: RecordKind = 'events'): Promise<SqlSource> {
    const tables = this.tables(version);
    const columns = await new PromotedColumns(this.database, this.topology, tables, kind).byProperty();
    return { table: tables.view(kind), properties: { columns, rest: { kind: 'json', column: 'properties' } } };
  }

  async drop(version: StoredVersion): Promise<void> {
    await this.database.commands(this.tables(version).drop());
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private tables(version: StoredVersion): VersionTables {
    return new VersionTables(version, this.topology);
  }
}
