import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder, syncFolder } from '../../storage/files.ts';
import { assertFlushed } from '../assert-flushed.ts';
import { NOTHING_FLUSHED, type StoredVersion } from '../store.ts';
import { DamagedVersionError, MemoryLimitError, StoreError } from '../store-error.ts';
import type { DuckDbConnection, DuckDbDatabase } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';
import { readFlushed } from './version-state.ts';

const FILE = 'store.duckdb';

/**
 * The first that has ZSTD, by which JSON is smallest and soonest written:
 * https://duckdb.org/docs/stable/internals/storage
 */
const STORAGE_VERSION = 'v1.2.0';

const TABLES = [
  'segments (kind VARCHAR, name VARCHAR)',
  'promoted (kind VARCHAR, number INTEGER, property VARCHAR, types VARCHAR[])',
  'events ("event" VARCHAR, "time" BIGINT, distinct_id VARCHAR, insert_id VARCHAR, properties JSON USING COMPRESSION zstd)',
  'people (distinct_id VARCHAR, properties JSON USING COMPRESSION zstd)',
];

/** The file of a version while someone uses it. */
export interface HeldFile {
  readonly versionId: string;
  /** What its tables are in: `"v12".events`. */
  readonly schema: string;
  /** Whoever holds a file lets it go once, and says what failed. */
  release(failure?: unknown): Promise<void>;
}

interface Attached {
  readonly version: StoredVersion;
  readonly ready: Promise<boolean>;
  holders: number;
  /** Whether it is removed, or only attached anew, once nobody holds it. */
  isDropped: boolean;
  isInvalid: boolean;
}

/** Each takes about 1.6 MB of memory and two descriptors. */
const MAX_ATTACHED = 64;

/** What DuckDB says of a file to which it could not write, such as for want of space: it takes no more statements. */
const INVALIDATED = /has been invalidated/;

/** What DuckDB says of a file that another process has open. */
const LOCKED = /Conflicting lock is held/;

/** What it says where something else than the file is at fault. */
const PASSING = /Conflicting lock is held|Too many open files|Permission denied|No space left/;

/** How long a process may take to end with all of its memory, after the one that started it is gone. */
const LOCKED_MS = 5_000;
const LOCKED_PAUSE_MS = 50;

/** The files of versions, each a database of its own, which is attached when it is used first. */
export class VersionFiles {
  /** The one that was used last comes last. */
  private readonly attached = new Map<string, Attached>();
  private readonly detaching = new Map<string, Promise<void>>();

  constructor(private readonly database: DuckDbDatabase) {}

  /**
   * The file of a version; nothing where there is none, and nothing was flushed.
   *
   * @throws {DamagedVersionError} where it has less than was flushed, or cannot be read.
   */
  hold(version: StoredVersion): Promise<HeldFile | undefined> {
    return this.take(version, false);
  }

  /**
   * As `hold`. The file is made where there is none, and nothing was flushed; nothing for a version that is dropped
   * while someone reads it.
   */
  holdOrMake(version: StoredVersion): Promise<HeldFile | undefined> {
    return this.take(version, true);
  }

  /** Forgets a version. Its file is removed at once, or when the last who holds it lets it go. */
  async drop(version: StoredVersion): Promise<void> {
    const file = this.attached.get(version.id) ?? this.add(version, Promise.resolve(true));
    file.isDropped = true;
    await this.detachUnheld(file);
  }

  private async take(version: StoredVersion, makes: boolean): Promise<HeldFile | undefined> {
    const file = this.attached.get(version.id) ?? this.add(version, this.attach(version, makes));
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
      if (await file.ready) return { versionId: version.id, schema: schemaOf(version), release };
    } catch (error) {
      file.isInvalid = true;
      await release();
      throw error;
    }
    file.isInvalid = true;
    await release();
    // Whoever reads does not make what another needs.
    return makes ? this.take(version, makes) : undefined;
  }

  private add(version: StoredVersion, ready: Promise<boolean>): Attached {
    const file = { version, ready, holders: 0, isDropped: false, isInvalid: false };
    this.attached.set(version.id, file);
    return file;
  }

  /** Says whether there is a file. */
  private async attach(version: StoredVersion, makes: boolean): Promise<boolean> {
    await this.detaching.get(version.id);
    if (!(await exists(pathOf(version)))) {
      assertFlushed(version, NOTHING_FLUSHED);
      if (!makes) return false;
      await this.make(version);
    }
    await this.database.connected(async (connection) => {
      try {
        await attachInTime(connection, version);
        assertFlushed(version, await readFlushed(connection, schemaOf(version)));
      } catch (error) {
        await connection.run(`DETACH DATABASE IF EXISTS ${schemaOf(version)}`);
        throw isPassing(error) ? error : damaged(version, error as Error);
      }
    });
    return true;
  }

  /** A file is made beside and renamed, so that whatever is found has all tables. */
  private async make(version: StoredVersion): Promise<void> {
    await makeFolder(version.folder);
    const beside = `${pathOf(version)}.new`;
    await rm(beside, { force: true });
    await rm(`${beside}.wal`, { force: true });
    const schema = schemaOf(version);
    await this.database.connected(async (connection) => {
      await connection.run(`ATTACH ${quoteSqlString(beside)} AS ${schema} (STORAGE_VERSION '${STORAGE_VERSION}')`);
      for (const table of TABLES) await connection.run(`CREATE TABLE ${schema}.${table}`);
      await connection.run(`DETACH ${schema}`);
    });
    await rename(beside, pathOf(version));
    await syncFolder(version.folder);
  }

  /** Detaches what is not to stay, and of too many files the one that was used longest ago. */
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
    const detached = this.database.connected((connection) =>
      connection.run(`DETACH DATABASE IF EXISTS ${schemaOf(version)}`),
    );
    this.detaching.set(version.id, detached);
    try {
      await detached;
    } finally {
      this.detaching.delete(version.id);
    }
  }
}

/** Attaches a file, as soon as a process that was killed lets it go. */
async function attachInTime(connection: DuckDbConnection, version: StoredVersion): Promise<void> {
  const late = performance.now() + LOCKED_MS;
  for (;;) {
    try {
      return await connection.run(`ATTACH ${quoteSqlString(pathOf(version))} AS ${schemaOf(version)}`);
    } catch (error) {
      if (!LOCKED.test((error as Error).message) || performance.now() > late) throw error;
      await pause(LOCKED_PAUSE_MS);
    }
  }
}

/** Whether a file could not be attached for a reason that is none of the file. */
function isPassing(error: unknown): boolean {
  return error instanceof MemoryLimitError || PASSING.test((error as Error).message);
}

function damaged({ id }: StoredVersion, error: Error): DamagedVersionError {
  if (error instanceof DamagedVersionError) return error;
  return new DamagedVersionError(id, 'its file cannot be read', error.message);
}

function schemaOf({ id }: StoredVersion): string {
  return `"version_${id}"`;
}

function pathOf({ folder }: StoredVersion): string {
  return join(folder, FILE);
}

async function removeFile(version: StoredVersion): Promise<void> {
  for (const path of [pathOf(version), `${pathOf(version)}.wal`]) await rm(path, { force: true });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
