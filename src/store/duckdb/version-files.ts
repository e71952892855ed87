import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../storage/sync-folder.ts';
import type { StoredVersion } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { Database } from './database.ts';
import { quoteText } from './quote-sql.ts';

const FILE = 'store.duckdb';

/** The first that has ZSTD, by which JSON is smallest and soonest written: https://duckdb.org/docs/stable/internals/storage */
const STORAGE_VERSION = 'v1.2.0';

const TABLES = [
  'segments (kind VARCHAR, name VARCHAR)',
  'promoted (kind VARCHAR, number INTEGER, property VARCHAR, types VARCHAR[])',
  'events ("event" VARCHAR, "time" BIGINT, distinct_id VARCHAR, insert_id VARCHAR, properties JSON USING COMPRESSION zstd)',
  'people (distinct_id VARCHAR, properties JSON USING COMPRESSION zstd)',
];

/** The file of a version while someone uses it. */
export interface HeldFile {
  /** What its tables are in: `"v12".events`. */
  readonly schema: string;
  /** Whoever holds a file lets it go once, and says what failed. */
  release(failure?: unknown): Promise<void>;
}

interface Attached {
  readonly version: StoredVersion;
  readonly ready: Promise<void>;
  holders: number;
  /** Whether it is removed, or only attached anew, once nobody holds it. */
  isDropped: boolean;
  isInvalid: boolean;
}

/** What DuckDB says of a file to which it could not write, such as for want of space: it takes no more statements. */
const INVALIDATED = /has been invalidated/;

/** The files of versions, each a database of its own, which is attached when it is used first. */
export class VersionFiles {
  private readonly attached = new Map<string, Attached>();

  constructor(private readonly database: Database) {}

  /** The file of a version; nothing where there is none. */
  async hold(version: StoredVersion): Promise<HeldFile | undefined> {
    return this.attached.has(version.id) || (await exists(pathOf(version))) ? this.holdOrMake(version) : undefined;
  }

  /** The file of a version, which is made where there is none; nothing for a version that is dropped while someone reads it. */
  async holdOrMake(version: StoredVersion): Promise<HeldFile | undefined> {
    const file = this.attached.get(version.id) ?? this.attach(version);
    if (file.isDropped) return undefined;
    file.holders++;
    try {
      await file.ready;
    } catch (error) {
      if (this.attached.get(version.id) === file) this.attached.delete(version.id);
      throw error;
    }
    return {
      schema: schemaOf(version),
      release: async (failure) => {
        file.holders--;
        file.isInvalid ||= failure instanceof StoreError && INVALIDATED.test(failure.message);
        await this.detachUnheld(file);
      },
    };
  }

  /** Forgets a version. Its file is removed at once, or when the last who holds it lets it go. */
  async drop(version: StoredVersion): Promise<void> {
    const file = this.attached.get(version.id);
    if (file === undefined) return removeFile(version);
    file.isDropped = true;
    await this.detachUnheld(file);
  }

  private attach(version: StoredVersion): Attached {
    const file = { version, ready: this.ready(version), holders: 0, isDropped: false, isInvalid: false };
    this.attached.set(version.id, file);
    return file;
  }

  private async ready(version: StoredVersion): Promise<void> {
    if (!(await exists(pathOf(version)))) await this.make(version);
    await this.database.connected((connection) =>
      connection.run(`ATTACH ${quoteText(pathOf(version))} AS ${schemaOf(version)}`),
    );
  }

  /** A file is made beside and renamed, so that whatever is found has all tables. */
  private async make(version: StoredVersion): Promise<void> {
    await mkdir(version.folder, { recursive: true });
    const beside = `${pathOf(version)}.new`;
    await rm(beside, { force: true });
    await rm(`${beside}.wal`, { force: true });
    const schema = schemaOf(version);
    await this.database.connected(async (connection) => {
      await connection.run(`ATTACH ${quoteText(beside)} AS ${schema} (STORAGE_VERSION '${STORAGE_VERSION}')`);
      for (const table of TABLES) await connection.run(`CREATE TABLE ${schema}.${table}`);
      await connection.run(`DETACH ${schema}`);
    });
    await rename(beside, pathOf(version));
    await syncFolder(version.folder);
  }

  private async detachUnheld({ version, holders, isDropped, isInvalid }: Attached): Promise<void> {
    if (holders > 0 || !(isDropped || isInvalid)) return;
    await this.database.connected((connection) => connection.run(`DETACH DATABASE IF EXISTS ${schemaOf(version)}`));
    if (isDropped) await removeFile(version);
    this.attached.delete(version.id);
  }
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
