import type { LogSegment } from '../../storage/log-segment.ts';
import type { RecordKind, Store, StoredEvent, StoredPerson, StoredVersion } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type Connection, Database, type DatabaseOptions } from './database.ts';
import { quoteText } from './quote-sql.ts';
import { RecordTable } from './record-table.ts';
import { settleEvents } from './settle-events.ts';
import { settlePeople } from './settle-people.ts';
import { type HeldFile, VersionFiles } from './version-files.ts';

/** Records in files of DuckDB, one for each version, in this process. */
export class DuckDbStore implements Store {
  private readonly files: VersionFiles;
  /** Settling goes on one version after the other, each with all of the memory. */
  private settling: Promise<unknown> = Promise.resolve();

  private constructor(private readonly database: Database) {
    this.files = new VersionFiles(database);
  }

  /** @throws {StoreError} where DuckDB is not installed. */
  static async open(options: DatabaseOptions): Promise<DuckDbStore> {
    return new DuckDbStore(await Database.open(options));
  }

  settle(version: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void> {
    const settled = this.settling.then(() => this.settleNow(version, kind, segments));
    this.settling = settled.catch(() => undefined);
    return settled;
  }

  async count(version: StoredVersion, kind: RecordKind): Promise<number> {
    const count = await this.held(await this.files.hold(version), ({ schema }) =>
      this.database.connected((connection) => new RecordTable(connection, schema, kind).count()),
    );
    return count ?? 0;
  }

  async *events(version: StoredVersion): AsyncGenerator<StoredEvent> {
    const unsorted = (table: string) =>
      `SELECT count(*) FILTER ("time" < earlier) FROM (SELECT "time", lag("time") OVER () AS earlier FROM ${table})`;
    const record = `'{"event":' || to_json("event") || ',"properties":' || properties || '}'`;
    yield* this.read<StoredEvent>(version, async (connection, schema) => {
      const table = `${schema}.events`;
      const order = (await connection.number(unsorted(table))) > 0 ? 'ORDER BY "time"' : '';
      return `SELECT ${record} FROM ${table} ${order}`;
    });
  }

  async *people(version: StoredVersion): AsyncGenerator<StoredPerson> {
    const record = `'{"distinctId":' || to_json(distinct_id) || ',"properties":' || properties || '}'`;
    yield* this.read<StoredPerson>(
      version,
      async (_, schema) => `SELECT ${record} FROM ${schema}.people ORDER BY distinct_id`,
    );
  }

  /** What is being read is removed when that has come to its end, which may be later. */
  async drop(version: StoredVersion): Promise<void> {
    await this.files.drop(version);
  }

  async close(): Promise<void> {
    await this.settling;
    this.database.close();
  }

  private async settleNow(version: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void> {
    const settled = await this.held(await this.files.holdOrMake(version), async ({ schema }) => {
      await this.database.connected((connection) =>
        connection.transaction(() => this.settleInto(connection, schema, kind, segments)),
      );
      return true;
    });
    if (settled === undefined) throw new StoreError(`the version ${version.id} has been dropped`);
  }

  private async settleInto(
    connection: Connection,
    schema: string,
    kind: RecordKind,
    segments: readonly LogSegment[],
  ): Promise<void> {
    const rows = await connection.rows(`SELECT name FROM ${schema}.segments WHERE kind = ${quoteText(kind)}`);
    const known = new Set(rows.map(([name]) => name));
    const added = segments.filter(({ name }) => !known.has(name));
    const filled = added.filter(({ records }) => records > 0);
    if (filled.length > 0) {
      if (kind === 'events') await settleEvents(connection, schema, filled);
      else await this.database.connected((reader) => settlePeople(connection, reader, schema, filled));
    }
    for (const { name } of added) {
      await connection.run(`INSERT INTO ${schema}.segments VALUES (${quoteText(kind)}, ${quoteText(name)})`);
    }
  }

  /** Records as they are now, one a row as JSON. */
  private async *read<Item>(
    version: StoredVersion,
    query: (connection: Connection, schema: string) => Promise<string>,
  ): AsyncGenerator<Item> {
    const file = await this.files.hold(version);
    if (file === undefined) return;
    try {
      const connection = await this.database.connect();
      try {
        await connection.run('BEGIN');
        for await (const rows of connection.stream(await query(connection, file.schema))) {
          for (const [record] of rows) yield JSON.parse(record as string);
        }
      } finally {
        connection.close();
      }
    } finally {
      await file.release();
    }
  }

  private async held<Result>(
    file: HeldFile | undefined,
    work: (file: HeldFile) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (file === undefined) return undefined;
    try {
      return await work(file);
    } finally {
      await file.release();
    }
  }
}
