import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder, syncFolder } from '../../storage/files.ts';
import { assertFlushed } from '../assert-flushed.ts';
import { NOTHING_FLUSHED, type StoredVersion } from '../store.ts';
import {
  DamagedVersionError,
  DatabaseBusyError,
  MemoryLimitError,
  NewerVersionError,
  StoreError,
} from '../store-error.ts';
import { CorruptFileError, type DuckDbConnection, type DuckDbDatabase } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';
import { ROLLUPS_COLUMNS, ROLLUPS_TABLE } from './rollups.ts';
import { LOG_FILES_TABLE, readFlushed } from './version-state.ts';

const FILE = 'store.duckdb';

/**
 * The first version with ZSTD, which makes JSON smallest and is the fastest to write:
 * https://duckdb.org/docs/stable/internals/storage
 */
export const STORAGE_VERSION = 'v1.2.0';

/** The format of the tables. Files before format 1 have no number; those before format 2 have no rollups. */
const FORMAT = 2;

const TABLES = [
  `format AS SELECT ${FORMAT} AS number`,
  `${LOG_FILES_TABLE} (kind VARCHAR, name VARCHAR)`,
  'promoted (kind VARCHAR, number INTEGER, property VARCHAR, types VARCHAR[])',
  `${ROLLUPS_TABLE} (${ROLLUPS_COLUMNS})`,
  'events ("event" VARCHAR, "time" BIGINT, distinct_id VARCHAR, insert_id VARCHAR, properties JSON USING COMPRESSION zstd)',
  'people (distinct_id VARCHAR, properties JSON USING COMPRESSION zstd)',
];

/** The file of a version in use. */
export interface HeldFile {
  readonly versionId: string;
  /** The quoted schema of its tables: `"version_12"`. */
  readonly schema: string;
  /** The number of records when it was attached. */
  readonly records: number;
  /** Must be called once, with the error if the work failed. */
  release(failure?: unknown): Promise<void>;
}

interface Attached {
  readonly version: StoredVersion;
  /** The number of records when it is attached; undefined if there is no file. */
  readonly ready: Promise<number | undefined>;
  holders: number;
  /** Whether the file is removed once it has no holders. */
  isDropped: boolean;
  /** Whether the file is detached once it has no holders, to be attached again by the next. */
  isInvalid: boolean;
}

/** The maximum number of attached files. Each takes about 1.6 MB of memory and two file descriptors. */
const MAX_ATTACHED = 64;

/** DuckDB's error for a file that takes no more statements, because a write failed: for example, the disk was full. */
const INVALIDATED = /has been invalidated/;

/** DuckDB's errors that are temporary and not caused by the file. */
const TEMPORARY = /Too many open files|Permission denied|No space left/;

/** The time that a process may take to end and free its memory after its parent is gone. */
const LOCKED_MS = 5_000;
const LOCKED_PAUSE_MS = 50;

/** The files of versions. Each is a separate database, attached on first use. */
export class VersionFiles {
  /** By version ID, least recently used first. */
  private readonly attached = new Map<string, Attached>();
  private readonly detaching = new Map<string, Promise<void>>();

  constructor(private readonly database: DuckDbDatabase) {}

  /**
   * Returns the file of a version; undefined if there is none because nothing was flushed.
   *
   * @throws {DamagedVersionError} if the file is missing, incomplete or unreadable.
   */
  hold(version: StoredVersion): Promise<HeldFile | undefined> {
    return this.take(version, false);
  }

  /**
   * Returns the file of a version, which is created if there is none because nothing was flushed. Returns undefined for
   * a version that is dropped but still read. Otherwise like {@link VersionFiles.hold}.
   */
  holdOrCreate(version: StoredVersion): Promise<HeldFile | undefined> {
    return this.take(version, true);
  }

  /** Removes the file of a version, at once or when its last holder releases it. */
  async drop(version: StoredVersion): Promise<void> {
    const file = this.attached.get(version.id) ?? this.add(version, Promise.resolve(undefined));
    file.isDropped = true;
    await this.detachUnheld(file);
  }

  private async take(version: StoredVersion, creates: boolean): Promise<HeldFile | undefined> {
    const file = this.attached.get(version.id) ?? this.add(version, this.attach(version, creates));
    if (file.isDropped) return undefined;
    this.attached.delete(version.id);
    this.attached.set(version.id, file);
    file.holders++;
    const release: HeldFile['release'] = async (failure) => {
      file.holders--;
      file.isInvalid ||= failure instanceof StoreError && INVALIDATED.test(failure.message);
      await this.detachUnheld(file);
    };
    try {
      const records = await file.ready;
      if (records !== undefined) return { versionId: version.id, schema: getSchema(version), records, release };
    } catch (error) {
      file.isInvalid = true;
      await release();
      throw error;
    }
    file.isInvalid = true;
    await release();
    // A concurrent reader found no file and created none.
    return creates ? this.take(version, creates) : undefined;
  }

  private add(version: StoredVersion, ready: Attached['ready']): Attached {
    const file = { version, ready, holders: 0, isDropped: false, isInvalid: false };
    this.attached.set(version.id, file);
    return file;
  }

  /** Attaches the file of a version and counts its records. Returns undefined if there is none. */
  private async attach(version: StoredVersion, creates: boolean): Promise<number | undefined> {
    await this.detaching.get(version.id);
    if (!(await exists(getPath(version)))) {
      assertFlushed(version, NOTHING_FLUSHED);
      if (!creates) return undefined;
      await this.create(version);
    }
    return this.database.withConnection(async (connection) => {
      try {
        await attachWhenUnlocked(connection, version);
        await migrateTables(connection, version);
        const flushed = await readFlushed(connection, getSchema(version));
        assertFlushed(version, flushed);
        return flushed.events.records + flushed.people.records;
      } catch (error) {
        await connection.run(`DETACH DATABASE IF EXISTS ${getSchema(version)}`);
        throw isTemporary(error) ? error : toDamagedError(version, error as Error);
      }
    });
  }

  /** Creates the file under another name and renames it, so that an existing file always has all tables. */
  private async create(version: StoredVersion): Promise<void> {
    await makeFolder(version.folder);
    const temporary = `${getPath(version)}.new`;
    await rm(temporary, { force: true });
    await rm(`${temporary}.wal`, { force: true });
    const schema = getSchema(version);
    await this.database.withConnection(async (connection) => {
      await connection.run(`ATTACH ${quoteSqlString(temporary)} AS ${schema} (STORAGE_VERSION '${STORAGE_VERSION}')`);
      for (const table of TABLES) await connection.run(`CREATE TABLE ${schema}.${table}`);
      await connection.run(`DETACH ${schema}`);
    });
    await rename(temporary, getPath(version));
    await syncFolder(version.folder);
  }

  /** Detaches a file that must not stay attached, or the least recently used one if there are too many. */
  private async detachUnheld(file: Attached): Promise<void> {
    if (file.holders > 0) return;
    if (file.isDropped) {
      await this.detach(file);
      await removeFile(file.version);
      this.attached.delete(file.version.id);
    } else if (file.isInvalid) {
      await this.detach(file);
    } else if (this.attached.size > MAX_ATTACHED) {
      const idle = [...this.attached.values()].find(({ holders, isDropped }) => holders === 0 && !isDropped);
      if (idle !== undefined) await this.detach(idle);
    }
  }

  private async detach({ version, isDropped }: Attached): Promise<void> {
    if (!isDropped) this.attached.delete(version.id);
    const detached = this.database.withConnection((connection) =>
      connection.run(`DETACH DATABASE IF EXISTS ${getSchema(version)}`),
    );
    this.detaching.set(version.id, detached);
    try {
      await detached;
    } finally {
      this.detaching.delete(version.id);
    }
  }
}

/** Attaches a file. Waits for a killed process to release it. */
async function attachWhenUnlocked(connection: DuckDbConnection, version: StoredVersion): Promise<void> {
  const deadline = performance.now() + LOCKED_MS;
  for (;;) {
    try {
      return await connection.run(`ATTACH ${quoteSqlString(getPath(version))} AS ${getSchema(version)}`);
    } catch (error) {
      if (!(error instanceof DatabaseBusyError) || performance.now() > deadline) throw error;
      await pause(LOCKED_PAUSE_MS);
    }
  }
}

/**
 * Brings an older file to this format.
 *
 * @throws {NewerVersionError} if a newer release wrote the file
 */
async function migrateTables(connection: DuckDbConnection, version: StoredVersion): Promise<void> {
  const schema = getSchema(version);
  // A list of the tables would read the catalogs of all attached files.
  await connection.run(`CREATE TABLE IF NOT EXISTS ${schema}.format AS SELECT 0 AS number`);
  const format = await connection.number(`SELECT max(number) FROM ${schema}.format`);
  if (format === FORMAT) return;
  if (format < FORMAT) {
    await connection.run(`CREATE TABLE IF NOT EXISTS ${schema}.${ROLLUPS_TABLE} (${ROLLUPS_COLUMNS})`);
    await connection.run(`UPDATE ${schema}.format SET number = ${FORMAT}`);
    return;
  }
  const formats = `its file has format ${format}, and this release of onwhere reads up to format ${FORMAT}`;
  throw new NewerVersionError(version.id, `${formats}; use a newer release`);
}

/** Returns whether an error is not caused by the file. */
function isTemporary(error: unknown): boolean {
  if (error instanceof MemoryLimitError || error instanceof DatabaseBusyError) return true;
  return TEMPORARY.test((error as Error).message);
}

function toDamagedError({ id }: StoredVersion, error: Error): DamagedVersionError {
  if (error instanceof DamagedVersionError) return error;
  return new DamagedVersionError(id, 'its file cannot be read', error.message);
}

function getSchema({ id }: StoredVersion): string {
  return `"version_${id}"`;
}

function getPath({ folder }: Pick<StoredVersion, 'folder'>): string {
  return join(folder, FILE);
}

/** Runs `work` with a file and releases it. Returns undefined if there is no file. */
export async function useFile<Result>(
  file: HeldFile | undefined,
  work: (file: HeldFile) => Promise<Result>,
): Promise<Result | undefined> {
  if (file === undefined) return undefined;
  let failure: unknown;
  try {
    return await work(file);
  } catch (error) {
    failure = error;
    throw nameDamaged(file, error);
  } finally {
    await file.release(failure);
  }
}

/** Returns the error of work on a file. If the file is corrupt, the error names its version. */
export function nameDamaged({ versionId }: HeldFile, error: unknown): unknown {
  return error instanceof CorruptFileError
    ? new DamagedVersionError(versionId, 'its file cannot be read', error.message)
    : error;
}

async function removeFile(version: StoredVersion): Promise<void> {
  for (const path of [getPath(version), `${getPath(version)}.wal`]) await rm(path, { force: true });
}

/** Identifies the content of the file of a version in a folder, which changes with each write; undefined if there is none. */
export async function getFileState(folder: string): Promise<string | undefined> {
  const found = await stat(getPath({ folder }), { bigint: true }).catch(() => undefined);
  return found && [found.ino, found.size, found.mtimeNs].join(' ');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
