import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../../base/parse-json.ts';
import { SerialQueue } from '../../locks/serial-queue.ts';
import { syncFolder } from '../../storage/files.ts';
import type { LogFile } from '../../storage/log-files.ts';
import {
  type Flushed,
  type LoadOptions,
  NOTHING_FLUSHED,
  type RecordKind,
  type Store,
  type StoredEvent,
  type StoredPerson,
  type StoredVersion,
} from '../store.ts';
import { DamagedVersionError, StoreError } from '../store-error.ts';
import type { SnapshotOptions, StoreSnapshot, VersionSources } from '../store-snapshot.ts';
import { CorruptFileError, type DatabaseOptions, type DuckDbConnection, DuckDbDatabase } from './database.ts';
import { detectEventFile, loadEvents, UnsortedFileError } from './event-file.ts';
import { flushEvents } from './flush-events.ts';
import { flushPeople } from './flush-people.ts';
import { type JsonSnapshot, parseSnapshot } from './json-snapshot.ts';
import { Promotions } from './promotions.ts';
import { quoteSqlString } from './quote-sql.ts';
import { RollupExtensions } from './rollup-extensions.ts';
import { addToRollups, areRollupsExact, ROLLUP_LIMITS, type RollupLimits } from './rollups.ts';
import { runInterruptible, runWithProgress } from './run-statement.ts';
import { defineCopies, type HeldCopy, SmallVersions } from './small-versions.ts';
import { type HeldFile, nameDamaged, useFile, VersionFiles } from './version-files.ts';
import { getSources, LOG_FILES_TABLE, readFlushed } from './version-state.ts';

/** Reads of fewer versions read their files: a few are planned quickly, and columns are read faster than JSON. */
const MIN_COPIED = 8;

/** How long a change waits for reads that began before it, and the pause between two attempts. */
const WAIT_MS = 10_000;
const PAUSE_MS = 50;

export interface DuckDbStoreOptions extends DatabaseOptions {
  /**
   * The file that keeps copies of small versions for the next start. No other process may use it. Default: they are
   * only in memory.
   */
  readonly copiesFile?: string;
}

/**
 * A store in DuckDB files, one per version, in this process. A server runs it in another process:
 * `worker/worker-store.ts`.
 */
export class DuckDbStore implements Store {
  /** Flushes one version at a time, which can use all of the memory. */
  private readonly writing = new SerialQueue();
  private readonly promotions = new Promotions((...part) => this.changePart(...part));
  private readonly extensions: RollupExtensions;

  private constructor(
    private readonly database: DuckDbDatabase,
    private readonly files: VersionFiles,
    private readonly small: SmallVersions,
    rollups: RollupLimits,
  ) {
    this.extensions = new RollupExtensions((...part) => this.changePart(...part), rollups);
  }

  /**
   * Starts DuckDB.
   *
   * @throws {StoreError} if DuckDB is not installed or refuses the options.
   */
  static async open({ copiesFile, ...options }: DuckDbStoreOptions, rollups = ROLLUP_LIMITS): Promise<DuckDbStore> {
    const database = await DuckDbDatabase.open(options);
    const files = new VersionFiles(database);
    return new DuckDbStore(database, files, await SmallVersions.open(database, files, copiesFile), rollups);
  }

  flush(version: StoredVersion, kind: RecordKind, files: readonly LogFile[]): Promise<void> {
    return this.writing.take(() =>
      this.write(version, (connection, schema) => this.flushInto(connection, schema, kind, files)),
    );
  }

  /**
   * Loads a file of events directly into a version. Returns false and adds nothing unless DuckDB certainly reads each
   * record as an import does.
   */
  loadFile(version: StoredVersion, file: string, { onProgress }: LoadOptions = {}): Promise<boolean> {
    return this.writing.take(() =>
      this.database.withConnection(async (reader) => {
        const events = await runWithProgress(reader, 0, 0.3, onProgress, () => detectEventFile(reader, file));
        if (events === undefined) return false;
        const load = (isSorted: boolean) =>
          this.write(version, (connection, schema) =>
            runWithProgress(connection, 0.3, 1, onProgress, () =>
              addToRollups(connection, schema, () => loadEvents(connection, schema, events, isSorted)),
            ),
          );
        try {
          await load(events.beginsSorted);
        } catch (error) {
          if (!(error instanceof UnsortedFileError)) throw error;
          await load(false);
        }
        return true;
      }),
    );
  }

  async readFlushed(version: StoredVersion): Promise<Flushed> {
    const flushed = await useFile(await this.files.hold(version), ({ schema }) =>
      this.database.withConnection((connection) => readFlushed(connection, schema)),
    );
    return flushed ?? NOTHING_FLUSHED;
  }

  async verify(version: StoredVersion): Promise<void> {
    await useFile(await this.files.hold(version), ({ schema }) =>
      this.database.withConnection(async (connection) => {
        await readAll(connection, schema);
        if (!(await areRollupsExact(connection, schema)))
          throw new DamagedVersionError(version.id, 'its counts by hour differ from its events');
      }),
    );
  }

  async *events(version: StoredVersion): AsyncGenerator<StoredEvent> {
    const unsorted = (table: string) =>
      `SELECT count(*) FILTER ("time" < earlier) FROM (SELECT "time", lag("time") OVER () AS earlier FROM ${table})`;
    const record = `'{"event":' || to_json("event") || ',"properties":' || properties || '}'`;
    yield* this.streamRecords<StoredEvent>(version, async (connection, schema) => {
      const table = `${schema}.events`;
      const order = (await connection.number(unsorted(table))) > 0 ? 'ORDER BY "time"' : '';
      return `SELECT ${record} FROM ${table} ${order}`;
    });
  }

  async *people(version: StoredVersion): AsyncGenerator<StoredPerson> {
    const record = `'{"distinctId":' || to_json(distinct_id) || ',"properties":' || properties || '}'`;
    yield* this.streamRecords<StoredPerson>(
      version,
      async (_, schema) => `SELECT ${record} FROM ${schema}.people ORDER BY distinct_id`,
    );
  }

  async read<Result>(
    versions: readonly StoredVersion[],
    work: (snapshot: StoreSnapshot) => Promise<Result>,
    options: SnapshotOptions = {},
  ): Promise<Result> {
    return this.readJson(versions, (snapshot) => work(parseSnapshot(snapshot, options.signal)), options);
  }

  /** Like `read`, but does not parse the results. */
  async readJson<Result>(
    versions: readonly StoredVersion[],
    work: (snapshot: JsonSnapshot) => Promise<Result>,
    { signal }: SnapshotOptions = {},
  ): Promise<Result> {
    const files = new Map<number, HeldFile>();
    const copies = new Map<number, HeldCopy>();
    let failure: unknown;
    try {
      const small = versions.length < MIN_COPIED ? undefined : await this.small.hold(versions);
      for (const [place, version] of versions.entries()) {
        const copy = small?.get(version.id);
        if (copy !== undefined) copies.set(place, copy);
      }
      for (const [place, version] of versions.entries()) {
        const file = copies.has(place) ? undefined : await this.files.hold(version);
        if (file !== undefined) files.set(place, file);
      }
      return await this.database.withConnection((connection) =>
        runInterruptible(connection, signal, () =>
          openSnapshot(connection, files, copies, (snapshot) =>
            work({ ...snapshot, json: (...query) => this.nameDamagedIn(versions, snapshot.json(...query)) }),
          ),
        ),
      );
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      for (const file of files.values()) await file.release(failure);
      for (const copy of copies.values()) await copy.release();
    }
  }

  async optimize(version: StoredVersion): Promise<boolean> {
    const flushed = version.flushed ?? (await this.readFlushed(version));
    if (await this.promotions.promote(version, flushed)) {
      this.extensions.forget(version.id);
      return true;
    }
    return this.extensions.extend(version, flushed.events.records);
  }

  /** Removes a version. If it is being read, removes its file later. */
  async drop(version: StoredVersion): Promise<void> {
    await this.files.drop(version);
    this.promotions.drop(version.id);
    this.extensions.forget(version.id);
    await this.small.drop(version.id);
  }

  async close(): Promise<void> {
    await this.writing.take(async () => undefined);
    await this.small.close();
    this.database.close();
  }

  /** Writes to a version, which is created if nothing was flushed. */
  private async write(
    version: StoredVersion,
    work: (connection: DuckDbConnection, schema: string) => Promise<void>,
  ): Promise<void> {
    const written = await useFile(await this.files.holdOrCreate(version), async (file) => {
      await this.change(file, work);
      // The caller may then remove the only other copy. So all changes must be in the file, not in its WAL, and the
      // folder must be synced.
      if (!(await waitUntil(() => this.checkpoint(file))))
        throw new StoreError('a long query still reads the version as it was before its columns changed');
      await syncFolder(version.folder);
      return true;
    });
    if (written === undefined) throw new StoreError(`the version ${version.id} has been dropped`);
  }

  /** Changes a file in a transaction. */
  private async change<Result>(
    { versionId, schema }: HeldFile,
    work: (connection: DuckDbConnection, schema: string) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.database.withConnection((connection) => connection.transaction(() => work(connection, schema)));
    } finally {
      await this.small.forget(versionId);
    }
  }

  /** Changes the file of a version in a part of its optimization. Returns undefined if there is no file. */
  private async changePart<Result>(
    version: StoredVersion,
    work: (connection: DuckDbConnection, schema: string) => Promise<Result>,
  ): Promise<Result | undefined> {
    const take = <Result>(use: (file: HeldFile) => Promise<Result>) =>
      this.writing.take(async () => useFile(await this.files.hold(version), use));
    const changed = await take((file) => this.change(file, work));
    // The changes stay in memory until then, so the next part waits. Flushes go on meanwhile.
    await waitUntil(async () => (await take((file) => this.checkpoint(file))) ?? true);
    return changed;
  }

  private checkpoint({ schema }: HeldFile): Promise<boolean> {
    return this.database.withConnection((connection) => connection.checkpoint(schema));
  }

  private async flushInto(
    connection: DuckDbConnection,
    schema: string,
    kind: RecordKind,
    files: readonly LogFile[],
  ): Promise<void> {
    const rows = await connection.rows(
      `SELECT name FROM ${schema}.${LOG_FILES_TABLE} WHERE kind = ${quoteSqlString(kind)}`,
    );
    const known = new Set(rows.map(([name]) => name));
    const added = files.filter(({ name }) => !known.has(name));
    const filled = added.filter(({ records }) => records > 0);
    if (filled.length > 0) {
      if (kind === 'events') await addToRollups(connection, schema, () => flushEvents(connection, schema, filled));
      else await this.database.withConnection((reader) => flushPeople(connection, reader, schema, filled));
    }
    for (const { name } of added) {
      await connection.run(
        `INSERT INTO ${schema}.${LOG_FILES_TABLE} VALUES (${quoteSqlString(kind)}, ${quoteSqlString(name)})`,
      );
    }
  }

  /** Streams the records of a query that returns one JSON per row, as they are at its start. */
  private async *streamRecords<Item>(
    version: StoredVersion,
    query: (connection: DuckDbConnection, schema: string) => Promise<string>,
  ): AsyncGenerator<Item> {
    const file = await this.files.hold(version);
    if (file === undefined) return;
    let failure: unknown;
    try {
      const connection = await this.database.connect();
      try {
        await connection.run('BEGIN');
        for await (const rows of connection.stream(await query(connection, file.schema))) {
          for (const [record] of rows) yield parseJson(record as string) as Item;
        }
      } finally {
        await connection.close();
      }
    } catch (error) {
      failure = error;
      throw nameDamaged(file, error);
    } finally {
      await file.release(failure);
    }
  }

  /** Passes results on. If a file turns out to be corrupt, throws an error that names its version. */
  private async *nameDamagedIn<Value>(
    versions: readonly StoredVersion[],
    results: AsyncIterable<Value>,
  ): AsyncGenerator<Value> {
    try {
      yield* results;
    } catch (error) {
      if (error instanceof CorruptFileError) for (const version of versions) await this.verify(version);
      throw error;
    }
  }
}

/** Repeats an attempt until it succeeds. Returns false if it takes too long. */
async function waitUntil(attempt: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await attempt())) {
    if (performance.now() > deadline) return false;
    await pause(PAUSE_MS);
  }
  return true;
}

/** Runs `work` with a snapshot of files and copies, by the places of their versions. */
async function openSnapshot<Result>(
  connection: DuckDbConnection,
  files: ReadonlyMap<number, HeldFile>,
  copies: ReadonlyMap<number, HeldCopy>,
  work: (snapshot: JsonSnapshot) => Promise<Result>,
): Promise<Result> {
  await connection.run('BEGIN');
  const versions: VersionSources[] = copies.size === 0 ? [] : [await defineCopies(connection, copies)];
  for (const [place, file] of files) {
    const sources = await getSources(connection, file.schema).catch((error) => {
      throw nameDamaged(file, error);
    });
    versions.push({ ...sources, place });
  }
  return work({ versions, json: (sql, parameters) => connection.json(sql, parameters) });
}

/** Reads every block of a file, so that DuckDB checks its checksums. */
async function readAll(connection: DuckDbConnection, schema: string): Promise<void> {
  for (const table of ['events', 'people', LOG_FILES_TABLE, 'promoted'])
    await connection.run(`SELECT bit_xor(hash(record)) FROM ${schema}.${table} AS record`);
}
