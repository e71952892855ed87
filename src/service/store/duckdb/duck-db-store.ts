import { SerialQueue } from '../../../lang/util/serial-queue.ts';
import { syncFolder } from '../../storage/files.ts';
import type { LogSegment } from '../../storage/segment-folder.ts';
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
import { detectEventFile, loadEvents } from './event-file.ts';
import { flushEvents } from './flush-events.ts';
import { flushPeople } from './flush-people.ts';
import { type JsonSnapshot, parseSnapshot } from './json-snapshot.ts';
import { quoteSqlString } from './quote-sql.ts';
import { type HeldFile, VersionFiles } from './version-files.ts';
import { getSources, readFlushed } from './version-state.ts';

/**
 * Records in files of DuckDB, one for each version, in this process. A server has it in another one:
 * `worker/worker-store.ts`.
 */
export class DuckDbStore implements Store {
  private readonly files: VersionFiles;
  /** Flushing goes on one version after the other, each with all of the memory. */
  private readonly flushing = new SerialQueue();

  private constructor(private readonly database: DuckDbDatabase) {
    this.files = new VersionFiles(database);
  }

  /** @throws {StoreError} where DuckDB is not installed. */
  static async open(options: DatabaseOptions): Promise<DuckDbStore> {
    return new DuckDbStore(await DuckDbDatabase.open(options));
  }

  flush(version: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void> {
    return this.flushing.take(() =>
      this.write(version, (connection, schema) => this.flushInto(connection, schema, kind, segments)),
    );
  }

  /**
   * Loads a file of events straight from the disk into a version of its own. Answers false, and leaves nothing behind,
   * where it is not beyond doubt that each of its records can be imported and is read as an import reads it.
   */
  loadFile(version: StoredVersion, file: string, { onProgress }: LoadOptions = {}): Promise<boolean> {
    return this.flushing.take(() =>
      this.database.connected(async (reader) => {
        const events = await watched(reader, 0, 0.4, onProgress, () => detectEventFile(reader, file));
        if (events === undefined) return false;
        await this.write(version, (connection, schema) =>
          watched(connection, 0.4, 1, onProgress, () => loadEvents(connection, schema, events)),
        );
        return true;
      }),
    );
  }

  async readFlushed(version: StoredVersion): Promise<Flushed> {
    const flushed = await held(await this.files.hold(version), ({ schema }) =>
      this.database.connected((connection) => readFlushed(connection, schema)),
    );
    return flushed ?? NOTHING_FLUSHED;
  }

  async verify(version: StoredVersion): Promise<void> {
    await held(await this.files.hold(version), ({ schema }) =>
      this.database.connected((connection) => readAll(connection, schema)),
    );
  }

  async *events(version: StoredVersion): AsyncGenerator<StoredEvent> {
    const unsorted = (table: string) =>
      `SELECT count(*) FILTER ("time" < earlier) FROM (SELECT "time", lag("time") OVER () AS earlier FROM ${table})`;
    const record = `'{"event":' || to_json("event") || ',"properties":' || properties || '}'`;
    yield* this.records<StoredEvent>(version, async (connection, schema) => {
      const table = `${schema}.events`;
      const order = (await connection.number(unsorted(table))) > 0 ? 'ORDER BY "time"' : '';
      return `SELECT ${record} FROM ${table} ${order}`;
    });
  }

  async *people(version: StoredVersion): AsyncGenerator<StoredPerson> {
    const record = `'{"distinctId":' || to_json(distinct_id) || ',"properties":' || properties || '}'`;
    yield* this.records<StoredPerson>(
      version,
      async (_, schema) => `SELECT ${record} FROM ${schema}.people ORDER BY distinct_id`,
    );
  }

  async read<Result>(
    versions: readonly StoredVersion[],
    work: (reading: StoreSnapshot) => Promise<Result>,
    options: SnapshotOptions = {},
  ): Promise<Result> {
    return this.readJson(versions, (reading) => work(parseSnapshot(reading, options.signal)), options);
  }

  /** As `read`, with answers that are not parsed. */
  async readJson<Result>(
    versions: readonly StoredVersion[],
    work: (reading: JsonSnapshot) => Promise<Result>,
    { signal }: SnapshotOptions = {},
  ): Promise<Result> {
    const files: HeldFile[] = [];
    let failure: unknown;
    try {
      for (const version of versions) {
        const file = await this.files.hold(version);
        if (file !== undefined) files.push(file);
      }
      return await this.database.connected((connection) =>
        interruptible(connection, signal, () =>
          lend(connection, files, (reading) =>
            work({ ...reading, json: (...asked) => this.blamingAny(versions, reading.json(...asked)) }),
          ),
        ),
      );
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      for (const file of files) await file.release(failure);
    }
  }

  /** What is being read is removed when that has come to its end, which may be later. */
  async drop(version: StoredVersion): Promise<void> {
    await this.files.drop(version);
  }

  async close(): Promise<void> {
    await this.flushing.take(async () => undefined);
    this.database.close();
  }

  /** Changes what a version holds, all of it or nothing. */
  private async write(
    version: StoredVersion,
    work: (connection: DuckDbConnection, schema: string) => Promise<void>,
  ): Promise<void> {
    const written = await held(await this.files.holdOrMake(version), async ({ schema }) => {
      await this.database.connected(async (connection) => {
        await connection.transaction(() => work(connection, schema));
        // Whoever asked for it may remove the only other copy: all of it must be in the file, not in a log beside it,
        // and the file in its folder.
        await connection.run(`CHECKPOINT ${schema}`);
      });
      await syncFolder(version.folder);
      return true;
    });
    if (written === undefined) throw new StoreError(`the version ${version.id} has been dropped`);
  }

  private async flushInto(
    connection: DuckDbConnection,
    schema: string,
    kind: RecordKind,
    segments: readonly LogSegment[],
  ): Promise<void> {
    const rows = await connection.rows(`SELECT name FROM ${schema}.segments WHERE kind = ${quoteSqlString(kind)}`);
    const known = new Set(rows.map(([name]) => name));
    const added = segments.filter(({ name }) => !known.has(name));
    const filled = added.filter(({ records }) => records > 0);
    if (filled.length > 0) {
      if (kind === 'events') await flushEvents(connection, schema, filled);
      else await this.database.connected((reader) => flushPeople(connection, reader, schema, filled));
    }
    for (const { name } of added) {
      await connection.run(`INSERT INTO ${schema}.segments VALUES (${quoteSqlString(kind)}, ${quoteSqlString(name)})`);
    }
  }

  /** Records as they are now, one a row as JSON. */
  private async *records<Item>(
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
          for (const [record] of rows) yield JSON.parse(record as string);
        }
      } finally {
        connection.close();
      }
    } catch (error) {
      failure = error;
      throw blaming(file, error);
    } finally {
      await file.release(failure);
    }
  }

  /** Answers that say, where a file is found to be corrupt, which version that is. */
  private async *blamingAny<Value>(
    versions: readonly StoredVersion[],
    answers: AsyncIterable<Value>,
  ): AsyncGenerator<Value> {
    try {
      yield* answers;
    } catch (error) {
      if (error instanceof CorruptFileError) for (const version of versions) await this.verify(version);
      throw error;
    }
  }
}

async function held<Result>(
  file: HeldFile | undefined,
  work: (file: HeldFile) => Promise<Result>,
): Promise<Result | undefined> {
  if (file === undefined) return undefined;
  let failure: unknown;
  try {
    return await work(file);
  } catch (error) {
    failure = error;
    throw blaming(file, error);
  } finally {
    await file.release(failure);
  }
}

/** Lends what is in files at this moment. */
async function lend<Result>(
  connection: DuckDbConnection,
  files: readonly HeldFile[],
  work: (reading: JsonSnapshot) => Promise<Result>,
): Promise<Result> {
  await connection.run('BEGIN');
  const versions: VersionSources[] = [];
  for (const file of files) {
    versions.push(
      await getSources(connection, file.schema).catch((error) => {
        throw blaming(file, error);
      }),
    );
  }
  return work({ versions, json: (sql, parameters) => connection.json(sql, parameters) });
}

/** Reads every block of a file. */
async function readAll(connection: DuckDbConnection, schema: string): Promise<void> {
  for (const table of ['events', 'people', 'segments', 'promoted'])
    await connection.run(`SELECT bit_xor(hash(record)) FROM ${schema}.${table} AS record`);
}

/** What work on a file has failed with; where that is because the file is corrupt, it says which version that is. */
function blaming({ versionId }: HeldFile, error: unknown): unknown {
  return error instanceof CorruptFileError
    ? new DamagedVersionError(versionId, 'its file cannot be read', error.message)
    : error;
}

/** A statement that begins in the same moment forgets an interrupt. */
const INTERRUPTED_EVERY_MS = 100;

/** Work that ends when a signal says so, with its reason. */
async function interruptible<Result>(
  connection: DuckDbConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  let again: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    again = setInterval(() => connection.interrupt(), INTERRUPTED_EVERY_MS);
  };
  signal?.addEventListener('abort', interrupt);
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    clearInterval(again);
  }
}

const PROGRESS_MILLISECONDS = 200;

/**
 * Tells how far a connection comes on its way from one part of the work to another. Of several statements, each begins
 * anew.
 */
async function watched<Result>(
  connection: DuckDbConnection,
  from: number,
  to: number,
  onProgress: LoadOptions['onProgress'],
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.trackProgress();
  let furthest = 0;
  const timer = setInterval(() => {
    furthest = Math.max(furthest, connection.progress);
    onProgress?.(from + (to - from) * furthest);
  }, PROGRESS_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    onProgress?.(to);
  }
}
