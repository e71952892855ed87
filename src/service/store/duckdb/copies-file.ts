import { rename, rm } from 'node:fs/promises';
import { type Flushed, RECORD_KINDS, type RecordKind } from '../store.ts';
import { createCopiedTables, getCopiedTable } from './copied-tables.ts';
import type { DuckDbConnection, DuckDbDatabase } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';
import { getFileState, STORAGE_VERSION } from './version-files.ts';

/** A copy of a version that is complete. Its rows are in the shared tables. */
export interface CompleteCopy {
  /** The number of its rows. */
  readonly number: number;
  readonly versionId: string;
  /** The folder of the version. */
  readonly folder: string;
  /** The state of the file of the version when it was copied; empty if it was being removed. */
  readonly fileState: string;
  readonly flushed: Flushed;
  /** The characters of its records. */
  readonly characters: number;
  /** The names of frequent properties. */
  readonly frequent: Readonly<Record<RecordKind, readonly string[]>>;
}

/** The table of the copies. Files of an older format, whose table has another name, are not read. */
const LIST = 'copies_1';

/**
 * The file from which a store reads the copies of its last run. It can be deleted at any time, and is if it cannot be
 * read.
 */
export class CopiesFile {
  private versionIds: ReadonlySet<string> = new Set();
  /** The characters of the records in the file. */
  characters = 0;

  constructor(
    private readonly database: DuckDbDatabase,
    private readonly path: string,
  ) {}

  /**
   * Adds the rows of the copies of unchanged files to the shared tables, and returns these copies. Removes the file if it
   * has others: their versions may have been dropped.
   */
  async load(): Promise<readonly CompleteCopy[]> {
    const load = async (connection: DuckDbConnection) => {
      const rows = await connection.rows(`SELECT json FROM saved.${LIST}`);
      const all: CompleteCopy[] = rows.map(([json]) => JSON.parse(json as string));
      const states = await Promise.all(all.map(({ folder }) => getFileState(folder)));
      const [current, old] = [true, false].map((isCurrent) =>
        all.filter(({ fileState }, index) => (fileState === states[index]) === isCurrent),
      ) as [CompleteCopy[], CompleteCopy[]];
      const condition = old.length === 0 ? '' : `WHERE copy NOT IN (${old.map(({ number }) => number).join(', ')})`;
      await connection.transaction(async () => {
        for (const kind of RECORD_KINDS)
          await connection.run(`INSERT INTO ${getCopiedTable(kind)} SELECT * FROM ${getSavedTable(kind)} ${condition}`);
      });
      return { current, old };
    };
    try {
      const { current, old } = await this.attach(this.path, '(READ_ONLY)', load);
      if (old.length > 0) await this.remove();
      else this.note(current);
      return current;
    } catch {
      // There is none, or it cannot be read.
      await this.remove().catch(() => undefined);
      return [];
    }
  }

  /**
   * Replaces the file by one with these copies, whose rows must stay in the shared tables meanwhile. If that fails, for
   * example because the disk is full, leaves the file as it was.
   */
  async save(copies: readonly CompleteCopy[]): Promise<void> {
    const created = `${this.path}.new`;
    const numbers = copies.map(({ number }) => number).join(', ');
    await rm(created, { force: true });
    try {
      await this.attach(created, `(STORAGE_VERSION '${STORAGE_VERSION}')`, async (connection) => {
        await connection.transaction(async () => {
          await createCopiedTables(connection, getSavedTable, 'USING COMPRESSION zstd');
          for (const kind of RECORD_KINDS) {
            const records = `SELECT * FROM ${getCopiedTable(kind)} WHERE copy IN (${numbers})`;
            await connection.run(`INSERT INTO ${getSavedTable(kind)} ${records}`);
          }
          const list = copies.map((copy) => `(${quoteSqlString(JSON.stringify(copy))})`).join(', ');
          await connection.run(`CREATE TABLE saved.${LIST} AS SELECT json FROM (VALUES ${list}) AS copies (json)`);
        });
      });
      await rename(created, this.path);
      this.note(copies);
    } catch {
      await rm(created, { force: true }).catch(() => undefined);
    }
  }

  /** Removes the file if it has a copy of a version. */
  async drop(versionId: string): Promise<void> {
    if (this.versionIds.has(versionId)) await this.remove();
  }

  private async remove(): Promise<void> {
    await rm(this.path, { force: true });
    this.note([]);
  }

  private note(copies: readonly CompleteCopy[]): void {
    this.versionIds = new Set(copies.map(({ versionId }) => versionId));
    this.characters = copies.reduce((sum, { characters }) => sum + characters, 0);
  }

  private attach<Result>(
    path: string,
    options: string,
    work: (connection: DuckDbConnection) => Promise<Result>,
  ): Promise<Result> {
    return this.database.withConnection(async (connection) => {
      await connection.run(`ATTACH ${quoteSqlString(path)} AS saved ${options}`);
      try {
        return await work(connection);
      } finally {
        await connection.run('DETACH saved');
      }
    });
  }
}

function getSavedTable(kind: RecordKind): string {
  return `saved.main.${kind}`;
}
