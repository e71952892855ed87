import { assertFlushed } from '../assert-flushed.ts';
import { type Flushed, RECORD_KINDS, type RecordKind, type StoredVersion } from '../store.ts';
import { PLACE_COLUMN, type VersionSources } from '../store-snapshot.ts';
import type { DuckDbConnection, DuckDbDatabase } from './database.ts';
import { readPromoted } from './promoted-table.ts';
import { useFile, type VersionFiles } from './version-files.ts';
import { readFlushed } from './version-state.ts';

/** The limits of a small version. Expressions read the JSON of its records, which takes longer than columns. */
const MAX_RECORDS = 5_000;
const MAX_CHARACTERS = 2 ** 21;

/** The limit of all copies. DuckDB moves them to its temporary folder if it needs their memory. */
const MAX_ALL_CHARACTERS = 2 ** 28;

/** How many versions a read copies at once. Much of the time, a statement waits for the disk or uses one thread. */
const AT_ONCE = 4;

/** The columns of records in the shared tables, besides the number of the copy. */
const COLUMNS: Readonly<Record<RecordKind, Readonly<Record<string, string>>>> = {
  events: { '"event"': 'VARCHAR', '"time"': 'BIGINT', distinct_id: 'VARCHAR', properties: 'JSON' },
  people: { distinct_id: 'VARCHAR', properties: 'JSON' },
};

/** The copy of a small version in use. */
export interface HeldCopy {
  /** The number of its rows in the shared tables. */
  readonly number: number;
  /** The names of frequent properties. */
  readonly frequent: Readonly<Record<RecordKind, readonly string[]>>;
  /** Must be called once. */
  release(): Promise<void>;
}

interface Copy {
  readonly number: number;
  /** Resolves once it is complete; to undefined if nothing was copied. */
  readonly ready: Promise<CopiedVersion | undefined>;
  /** How many reads use it, or wait for it. */
  holders: number;
  /** Whether its rows are removed once it has no holders. */
  isForgotten: boolean;
}

interface CopiedVersion extends Pick<HeldCopy, 'frequent'> {
  readonly flushed: Flushed;
  readonly characters: number;
}

/**
 * Copies of small versions in tables in memory that all share: a query over hundreds of files takes seconds just to
 * attach and plan them. The rows of a copy never change. A version that is written is copied again when it is next read.
 */
export class SmallVersions {
  /** By version ID, least recently used first. */
  private readonly copies = new Map<string, Copy>();
  /** The IDs of versions that are known not to be small. Versions rarely shrink. */
  private readonly large = new Set<string>();
  private copied = 0;
  private characters = 0;

  private constructor(
    private readonly database: DuckDbDatabase,
    private readonly files: VersionFiles,
  ) {}

  static async open(database: DuckDbDatabase, files: VersionFiles): Promise<SmallVersions> {
    await database.withConnection(async (connection) => {
      for (const kind of RECORD_KINDS) {
        const columns = Object.entries({ copy: 'INTEGER', ...COLUMNS[kind] }).map((column) => column.join(' '));
        await connection.run(`CREATE TABLE ${getTable(kind)} (${columns.join(', ')})`);
      }
    });
    return new SmallVersions(database, files);
  }

  /**
   * Returns copies of the small ones of some versions, by version ID.
   *
   * @throws {DamagedVersionError} if the file of a version is missing, incomplete or unreadable.
   */
  async hold(versions: readonly StoredVersion[]): Promise<ReadonlyMap<string, HeldCopy>> {
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
    if (failed === undefined) return held;
    for (const copy of held.values()) await copy.release();
    throw (failed as PromiseRejectedResult).reason;
  }

  /** Forgets a version that was dropped. */
  async drop(versionId: string): Promise<void> {
    await this.forget(versionId);
    this.large.delete(versionId);
  }

  /** Forgets the copy of a version, after a change of its file and before the change is acknowledged. */
  async forget(versionId: string): Promise<void> {
    const copy = this.copies.get(versionId);
    if (copy === undefined) return;
    this.copies.delete(versionId);
    copy.isForgotten = true;
    await this.removeUnheld(copy);
  }

  private async holdOne(version: StoredVersion): Promise<HeldCopy | undefined> {
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
        return { number: copy.number, frequent: copied.frequent, release };
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
    const copy: Copy = { number, ready, holders: 0, isForgotten: false };
    const removeEmpty = (copied?: CopiedVersion) => {
      if (copied === undefined && this.copies.get(version.id) === copy) this.copies.delete(version.id);
    };
    ready.then(removeEmpty, () => removeEmpty());
    return copy;
  }

  private async copy(version: StoredVersion, number: number): Promise<CopiedVersion | undefined> {
    const copied = await useFile(await this.files.hold(version), async ({ schema, records }) => {
      if (records > MAX_RECORDS) {
        this.large.add(version.id);
        return undefined;
      }
      return this.database.withConnection((connection) =>
        connection.transaction(() => this.copyRecords(connection, version, schema, number)),
      );
    });
    this.characters += copied?.characters ?? 0;
    return copied;
  }

  private async copyRecords(
    connection: DuckDbConnection,
    version: StoredVersion,
    schema: string,
    number: number,
  ): Promise<CopiedVersion | undefined> {
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
      const values = [number, ...Object.keys(COLUMNS[kind])].join(', ');
      await connection.run(`INSERT INTO ${getTable(kind)} SELECT ${values} FROM ${schema}.${kind}`);
    }
    const namesOf = (kind: RecordKind) => promoted[kind].map(({ name }) => name);
    return { flushed, characters, frequent: { events: namesOf('events'), people: namesOf('people') } };
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
        await connection.run(`DELETE FROM ${getTable(kind)} WHERE copy = ${copy.number}`);
    });
  }
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
      `CREATE TEMP VIEW ${view} AS SELECT ${[PLACE_COLUMN, ...Object.keys(COLUMNS[kind])].join(', ')}
      FROM ${getTable(kind)} JOIN (VALUES ${places.join(', ')}) AS places (copy, ${PLACE_COLUMN}) USING (copy)`,
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

/** Returns the shared table of a kind of records. */
function getTable(kind: RecordKind): string {
  return `memory.main.copied_${kind}`;
}
