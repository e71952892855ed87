import { randomInt } from 'node:crypto';
import type { LogSegment } from '../../storage/segment-folder.ts';
import { RECORD_KINDS, type RecordKind } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type ClickHouseDatabase, INSERT_SETTINGS } from './database.ts';
import { foldPeople, lowerSteps } from './fold-people.ts';
import { readNumberedLines } from './numbered-lines.ts';
import { PromotedColumns } from './promoted-columns.ts';
import type { Topology } from './topology.ts';
import type { VersionTables } from './version-tables.ts';

/** Of so many numbers no two flushes draw the same. */
const NUMBERS = 2 ** 48 - 1;

/** What is known of the flushes of a version that count. */
interface Commits {
  /** How many there are. */
  readonly number: number;
  /** The last of them, 0 where there is none. */
  readonly last: number;
  /** Which of some segments they brought. */
  readonly segments: readonly string[];
}

/**
 * Adds segments to a version. What is inserted does not count until one row says so, which is inserted last: what a flush that fails
 * leaves behind belongs to none that counts, and the next clears it away.
 */
export class SegmentFlush {
  private readonly flushId = randomInt(1, NUMBERS);
  private readonly promoted: PromotedColumns;

  constructor(
    private readonly database: ClickHouseDatabase,
    private readonly topology: Topology,
    private readonly tables: VersionTables,
    private readonly kind: RecordKind,
  ) {
    this.promoted = new PromotedColumns(database, topology, tables, kind);
  }

  async run(segments: readonly LogSegment[]): Promise<void> {
    const { database, topology, tables, kind } = this;
    await database.commands(tables.create());
    const { number, last, segments: known } = await this.commits(segments);
    const open = segments.filter(({ name }) => !known.includes(name));
    if (open.length === 0) return;
    await this.clear();
    await database.commands(
      tables.passing(kind).flatMap((table) => [...topology.drop(table), ...topology.create(table)]),
    );
    await (kind === 'events' ? this.loadEvents(open) : this.loadPeople(open, last));
    await this.promoted.extend();
    if (number === 0) await this.showOther();
    await this.insert(last);
    await this.commit(number + 1, open);
    await database.commands(tables.passing(kind).flatMap((table) => topology.drop(table)));
  }

  /** A version is read as a whole, whatever it has nothing of. */
  private async showOther(): Promise<void> {
    const { database, topology, tables, kind } = this;
    const others = RECORD_KINDS.filter((other) => other !== kind);
    for (const other of others) await new PromotedColumns(database, topology, tables, other).show();
  }

  private async commits(segments: readonly LogSegment[]): Promise<Commits> {
    const [found] = await this.database.rows<{ commits: number; last: string | number; known: string[] }>(
      `SELECT max(number) AS commits, argMax(settle, number) AS last,
  groupUniqArrayArray(arrayIntersect(segments, {segments:Array(String)})) AS known
FROM ${this.tables.commits.name} WHERE kind = {kind:String}`,
      { kind: this.kind, segments: segments.map(({ name }) => name) },
    );
    return { number: found?.commits ?? 0, last: Number(found?.last ?? 0), segments: found?.known ?? [] };
  }

  /** Removes the rows of flushes that do not count: those that failed, and all of people before the last. */
  private async clear(): Promise<void> {
    const { database, topology, tables, kind } = this;
    const { name } = tables.rows(kind);
    const stale = await database.rows<{ settle: string | number }>(
      `SELECT DISTINCT settle FROM ${name} WHERE settle ${topology.global}NOT IN ${tables.live(kind)}`,
    );
    const remove =
      kind === 'events'
        ? `DELETE FROM ${topology.part(name)}${topology.onCluster} WHERE settle = {settle:UInt64}`
        : `ALTER TABLE ${topology.part(name)}${topology.onCluster} DROP PARTITION {settle:UInt64}`;
    for (const { settle } of stale) await database.command(remove, { settle });
  }

  private async loadEvents(segments: readonly LogSegment[]): Promise<void> {
    const { name } = this.tables.incoming('events');
    const columns = ['position', ...this.tables.recordColumns('events')];
    for await (const lines of readNumberedLines('events', segments)) await this.database.insert(name, columns, lines);
  }

  private async loadPeople(segments: readonly LogSegment[], last: number): Promise<void> {
    const { database, topology, tables } = this;
    for await (const lines of readNumberedLines('people', segments)) {
      await database.insert(tables.updates.name, ['position', 'line'], lines);
    }
    for await (const people of foldPeople(database, lowerSteps(topology, tables), last)) {
      await database.insert(tables.incoming('people').name, tables.recordColumns('people'), people);
    }
  }

  private async insert(last: number): Promise<void> {
    const { database, topology, tables, kind, flushId } = this;
    const columns = await this.promoted.columns();
    const rows = tables.rows(kind);
    const names = [...tables.recordColumns(kind), ...columns.map(({ name }) => name)].join(', ');
    const target = `INSERT INTO ${rows.name} (settle, ${names}) ${INSERT_SETTINGS}`;
    await database.command(`${target} ${this.promoted.selection(columns)}`, { settle: flushId });
    if (kind === 'people' && last !== 0) {
      const isUpdated = `distinct_id ${topology.global}IN (SELECT distinct_id FROM ${tables.updates.name})`;
      const others = `SELECT {settle:UInt64}, ${names} FROM ${rows.name} WHERE settle = {last:UInt64} AND NOT (${isUpdated})`;
      await database.command(`${target} ${others}`, { settle: flushId, last });
    }
    await database.commands(topology.sync(rows));
  }

  /**
   * @throws {StoreError} where another flush of the version came in between, such as one that was given up, but reached the database
   *   late.
   */
  private async commit(number: number, segments: readonly LogSegment[]): Promise<void> {
    const { database, kind, flushId } = this;
    const { commits } = this.tables;
    const isNext = `(SELECT max(number) FROM ${commits.name} WHERE kind = {kind:String}) = {number:UInt32} - 1`;
    await database.command(
      `INSERT INTO ${commits.name} (kind, number, settle, segments) ${INSERT_SETTINGS}
SELECT {kind:String}, {number:UInt32}, {settle:UInt64}, {segments:Array(String)} WHERE ${isNext}`,
      { kind, number, settle: flushId, segments: segments.map(({ name }) => name) },
    );
    await database.commands(this.topology.sync(commits));
    const found = await database.rows<{ settle: string | number }>(
      `SELECT settle FROM ${commits.name} WHERE kind = {kind:String} AND number = {number:UInt32}`,
      { kind, number },
    );
    if (found.length !== 1 || Number(found[0]?.settle) !== flushId) {
      throw new StoreError(
        `Something else added ${kind} to the version in the meantime: flushing them again puts it right.`,
      );
    }
  }
}
