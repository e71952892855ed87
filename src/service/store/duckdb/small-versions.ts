import { isDeepStrictEqual } from 'node:util';
import { SerialQueue } from '../../locks/serial-queue.ts';
import { assertFlushed } from '../assert-flushed.ts';
import { RECORD_KINDS, type RecordKind, type StoredVersion } from '../store.ts';
import { PLACE_COLUMN, type VersionSources } from '../store-snapshot.ts';
import { COPIED_COLUMNS, createCopiedTables, getCopiedTable } from './copied-tables.ts';
import { type CompleteCopy, CopiesFile } from './copies-file.ts';
import type { DuckDbConnection, DuckDbDatabase } from './database.ts';
import { readPromoted } from './promoted-table.ts';
import { getFileState, useFile, type VersionFiles } from './version-files.ts';
import { readFlushed } from './version-state.ts';

/** The limits of a small version. Expressions read the JSON of its records, which takes longer than columns. */
const MAX_RECORDS = 5_000;
const MAX_CHARACTERS = 2 ** 21;

/** The limit of all copies. DuckDB moves them to its temporary folder if it needs their memory. */
const MAX_ALL_CHARACTERS = 2 ** 28;

/** How many versions a read copies at once. Much of the time, a statement waits for the disk or uses one thread. */
const AT_ONCE = 4;

/** The copy of a small version in use. */
export interface HeldCopy extends Pick<CompleteCopy, 'number' | 'frequent'> {
  /** Must be called once. */
  release(): Promise<void>;
}

interface Copy {
  readonly number: number;
  /** Resolves once it is complete; to undefined if nothing was copied. */
  readonly ready: Promise<CompleteCopy | undefined>;
  /** Set once it is complete. */
  complete: CompleteCopy | undefined;
  /** Whether it is from the last run. */
  readonly isLoaded: boolean;
  /** How many reads use it, or wait for it. */
  holders: number;
  /** Whether its rows are removed once it has no holders. */
  isForgotten: boolean;
}

/**
 * Copies of small versions in tables in memory that all share: a query over hundreds of files takes seconds just to
 * attach and plan them. The rows of a copy never change. A version that is written is copied again when it is next read.
 * A file has the copies for the next start.
 */
export class SmallVersions {
  /** By version ID, least recently used first. */
  private readonly copies = new Map<string, Copy>();
  /** The IDs of versions that are known not to be small. Versions rarely shrink. */
  private readonly large = new Set<string>();
  private copied = 0;
  private characters = 0;
  private loading: Promise<void> | undefined;
  /** The characters that were copied since the copies were saved. */
  private unsaved = 0;
  private readonly saving = new SerialQueue();

  private constructor(
    private readonly database: DuckDbDatabase,
    private readonly files: VersionFiles,
    private readonly file: CopiesFile | undefined,
  ) {}

  /** @param path the file for the copies; undefined to keep them in memory only */
  static async open(database: DuckDbDatabase, files: VersionFiles, path: string | undefined): Promise<SmallVersions> {
    await database.withConnection((connection) => createCopiedTables(connection, getCopiedTable));
    return new SmallVersions(database, files, path === undefined ? undefined : new CopiesFile(database, path));
  }

  /**
   * Returns copies of the small ones of some versions, by version ID.
   *
   * @throws {DamagedVersionError} if the file of a version is missing, incomplete or unreadable.
   */
  async hold(versions: readonly StoredVersion[]): Promise<ReadonlyMap<string, HeldCopy>> {
    await this.load();
    const held = new Map<string, HeldCopy>();
    // First hold the copies that exist, which then are not removed to make room.
    const known = versions.filter(({ id }) => this.copies.has(id));
    const others = versions.filter(({ id }) => !this.copies.has(id) && !this.large.has(id));
    const waiting = [...known, ...others].values();
    const holdWaiting = async () => {
      for (const version of waiting) {
        const copy = await this.holdOne(version);
        if (copy !== undefined) held.set(version.id, copy);
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, holdWaiting));
    const failed = ended.find(({ status }) => status === 'rejected');
    // So that all saves together write no more than twice of what was copied.
    if (this.file !== undefined && this.unsaved > this.file.characters) void this.save(this.file);
    if (failed === undefined) return held;
    for (const copy of held.values()) await copy.release();
    throw (failed as PromiseRejectedResult).reason;
  }

  /** Forgets a version that was dropped, and removes its records from the disk. */
  async drop(versionId: string): Promise<void> {
    await this.forget(versionId);
    this.large.delete(versionId);
    await this.saving.take(async () => this.file?.drop(versionId));
  }

  /** Saves the copies for the next start. */
  async close(): Promise<void> {
    if (this.file !== undefined && this.unsaved > 0) await this.save(this.file);
    await this.saving.take(async () => undefined);
  }

  /** Forgets the copy of a version, after a change of its file and before the change is acknowledged. */
  async forget(versionId: string): Promise<void> {
    // The file may have an old copy, which must not be taken over from now on.
    await this.load();
    const copy = this.copies.get(versionId);
    if (copy === undefined) return;
    this.copies.delete(versionId);
    copy.isForgotten = true;
    await this.removeUnheld(copy);
  }

  private async holdOne(version: StoredVersion): Promise<HeldCopy | undefined> {
    const known = this.copies.get(version.id);
    if (known?.isLoaded && !isCopyOf(known.complete, version)) await this.forget(version.id);
    const copy = this.copies.get(version.id) ?? this.add(version);
    this.copies.delete(version.id);
    this.copies.set(version.id, copy);
    copy.holders++;
    const release = async () => {
      copy.holders--;
      await this.removeUnheld(copy);
    };
    try {
      const copied = await copy.ready;
      if (copied !== undefined) {
        assertFlushed(version, copied.flushed);
        return { ...copied, release };
      }
    } catch (error) {
      await release();
      throw error;
    }
    await release();
    return undefined;
  }

  private add(version: StoredVersion): Copy {
    const number = ++this.copied;
    const ready = this.copy(version, number);
    const copy: Copy = { number, ready, complete: undefined, isLoaded: false, holders: 0, isForgotten: false };
    const complete = (copied?: CompleteCopy) => {
      copy.complete = copied;
      if (copied === undefined && this.copies.get(version.id) === copy) this.copies.delete(version.id);
    };
    ready.then(complete, () => complete());
    return copy;
  }

  private async copy(version: StoredVersion, number: number): Promise<CompleteCopy | undefined> {
    const copied = await useFile(await this.files.hold(version), async ({ schema, records }) => {
      if (records > MAX_RECORDS) {
        this.large.add(version.id);
        return undefined;
      }
      // Before the records are read: they may be newer than this state, but not older.
      const fileState = (await getFileState(version.folder)) ?? '';
      const found = await this.database.withConnection((connection) =>
        connection.transaction(() => this.copyRecords(connection, version, schema, number)),
      );
      return found && { ...found, number, versionId: version.id, folder: version.folder, fileState };
    });
    this.characters += copied?.characters ?? 0;
    this.unsaved += copied?.characters ?? 0;
    return copied;
  }

  private async copyRecords(
    connection: DuckDbConnection,
    version: StoredVersion,
    schema: string,
    number: number,
  ): Promise<Pick<CompleteCopy, 'flushed' | 'characters' | 'frequent'> | undefined> {
    const flushed = await readFlushed(connection, schema);
    const filled = RECORD_KINDS.filter((kind) => flushed[kind].records > 0);
    const characters = await measure(connection, schema);
    if (characters > MAX_CHARACTERS || filled.some((kind) => flushed[kind].records > MAX_RECORDS)) {
      this.large.add(version.id);
      return undefined;
    }
    if (!(await this.makeRoom(characters))) return undefined;
    const promoted = await readPromoted(connection, schema);
    for (const kind of filled) {
      const values = [number, ...Object.keys(COPIED_COLUMNS[kind])].join(', ');
      await connection.run(`INSERT INTO ${getCopiedTable(kind)} SELECT ${values} FROM ${schema}.${kind}`);
    }
    const namesOf = (kind: RecordKind) => promoted[kind].map(({ name }) => name);
    return { flushed, characters, frequent: { events: namesOf('events'), people: namesOf('people') } };
  }

  /** Takes over the copies of the last run, once. */
  private load(): Promise<void> {
    this.loading ??= (async () => {
      const copies = (await this.file?.load()) ?? [];
      for (const complete of copies) {
        const { number, versionId } = complete;
        const ready = Promise.resolve(complete);
        this.copies.set(versionId, { number, ready, complete, isLoaded: true, holders: 0, isForgotten: false });
        this.copied = Math.max(this.copied, number);
        this.characters += complete.characters;
      }
      if (this.file?.characters === 0) this.unsaved = this.characters;
    })();
    return this.loading;
  }

  /** Saves all copies. */
  private save(file: CopiesFile): Promise<void> {
    return this.saving.take(async () => {
      const copies = [...this.copies.values()].filter(({ complete }) => complete !== undefined);
      for (const copy of copies) copy.holders++;
      this.unsaved = 0;
      await file.save(copies.map((copy) => copy.complete as CompleteCopy));
      for (const copy of copies) {
        copy.holders--;
        await this.removeUnheld(copy);
      }
    });
  }

  /** Forgets copies until one of so many characters fits. Returns false if reads use too many. */
  private async makeRoom(characters: number): Promise<boolean> {
    for (const [id, { holders }] of [...this.copies]) {
      if (this.characters + characters <= MAX_ALL_CHARACTERS) return true;
      if (holders === 0) await this.forget(id);
    }
    return this.characters + characters <= MAX_ALL_CHARACTERS;
  }

  private async removeUnheld(copy: Copy): Promise<void> {
    if (copy.holders > 0 || !copy.isForgotten) return;
    copy.isForgotten = false;
    const copied = await copy.ready.catch(() => undefined);
    if (copied === undefined) return;
    this.characters -= copied.characters;
    await this.database.withConnection(async (connection) => {
      for (const kind of RECORD_KINDS)
        await connection.run(`DELETE FROM ${getCopiedTable(kind)} WHERE copy = ${copy.number}`);
    });
  }
}

/** Returns whether a copy of the last run has the records of a version. */
function isCopyOf(copy: CompleteCopy | undefined, { folder, flushed }: StoredVersion): boolean {
  return copy?.folder === folder && (flushed === undefined || isDeepStrictEqual(copy.flushed, flushed));
}

/** Counts the characters of the records of a version, in bytes of UTF-8. */
function measure(connection: DuckDbConnection, schema: string): Promise<number> {
  const sums = RECORD_KINDS.map((kind) => `SELECT sum(strlen(properties)) AS characters FROM ${schema}.${kind}`);
  return connection.number(`SELECT coalesce(sum(characters), 0) FROM (${sums.join(' UNION ALL ')})`);
}

/**
 * Defines the tables of copies for a connection.
 *
 * @param copies the copies by the places of their versions
 */
export async function defineCopies(
  connection: DuckDbConnection,
  copies: ReadonlyMap<number, HeldCopy>,
): Promise<VersionSources> {
  const places = [...copies].map(([place, { number }]) => `(${number}, ${place})`);
  const source = async (kind: RecordKind) => {
    const view = `copied_${kind}`;
    await connection.run(
      `CREATE TEMP VIEW ${view} AS SELECT ${[PLACE_COLUMN, ...Object.keys(COPIED_COLUMNS[kind])].join(', ')}
      FROM ${getCopiedTable(kind)} JOIN (VALUES ${places.join(', ')}) AS places (copy, ${PLACE_COLUMN}) USING (copy)`,
    );
    return { table: ['temp', view], properties: { rest: { kind: 'json', column: 'properties' } } } as const;
  };
  const namesOf = (kind: RecordKind) => [...new Set([...copies.values()].flatMap(({ frequent }) => frequent[kind]))];
  return {
    events: await source('events'),
    people: await source('people'),
    frequent: { events: namesOf('events'), people: namesOf('people') },
  };
}
