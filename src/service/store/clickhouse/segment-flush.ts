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

/** The maximum random ID of a flush, so large that no two are equal. */
const MAX_FLUSH_ID = 2 ** 48 - 1;

/** The committed flushes of a kind. */
interface Commits {
  /** The number of flushes. */
  readonly number: number;
  /** The ID of the last flush; 0 if there is none. */
  readonly last: number;
  /** The segments, among those to flush, that were flushed before. */
  readonly segments: readonly string[];
}

/**
 * Adds segments to a version. Inserted rows are invisible until the flush is committed by inserting one row. The rows
 * of a failed flush are never committed, and the next flush removes them.
 */
export class SegmentFlush {
  private readonly flushId = randomInt(1, MAX_FLUSH_ID);
  private readonly tables: VersionTables;
  private readonly promoted: PromotedColumns;

  constructor(
    private readonly database: ClickHouseDatabase,
    private readonly topology: Topology,
    tables: VersionTables,
    private readonly kind: RecordKind,
  ) {
    this.tables = tables.forFlush(this.flushId);
    this.promoted = new PromotedColumns(database, topology, this.tables, kind);
  }

  async run(segments: readonly LogSegment[]): Promise<void> {
    const { database, topology, tables, kind } = this;
    await database.commands(tables.create());
    const { number, last, segments: known } = await this.readCommits(segments);
    const added = segments.filter(({ name }) => !known.includes(name));
    if (added.length === 0) return;
    await this.removeUncommitted();
    await dropTemporaryTables(database, topology, tables, [kind]);
    await database.commands(tables.temporary(kind).flatMap((table) => topology.create(table)));
    await (kind === 'events' ? this.loadEvents(added) : this.loadPeople(added, last));
    await this.promoted.extend();
    if (number === 0) await this.createOtherViews();
    await this.insert(last);
    await this.commit(number + 1, added);
    await database.commands(tables.temporary(kind).flatMap((table) => topology.drop(table)));
  }

  /** Creates the views of the other kind, because a version is read with both. */
  private async createOtherViews(): Promise<void> {
    const { database, topology, tables, kind } = this;
    const others = RECORD_KINDS.filter((other) => other !== kind);
    for (const other of others) await new PromotedColumns(database, topology, tables, other).updateViews();
  }

  private async readCommits(segments: readonly LogSegment[]): Promise<Commits> {
    const [found] = await this.database.rows<{ commits: number; last: string | number; known: string[] }>(
      `SELECT max(number) AS commits, argMax(settle, number) AS last,
  groupUniqArrayArray(arrayIntersect(segments, {segments:Array(String)})) AS known
FROM ${this.tables.commits.name} WHERE kind = {kind:String}`,
      { kind: this.kind, segments: segments.map(({ name }) => name) },
    );
    return { number: found?.commits ?? 0, last: Number(found?.last ?? 0), segments: found?.known ?? [] };
  }

  /** Removes the rows of flushes that are not visible: failed ones, and those of people before the last. */
  private async removeUncommitted(): Promise<void> {
    const { database, topology, tables, kind } = this;
    const { name } = tables.rows(kind);
    const stale = await database.rows<{ settle: string | number }>(
      `SELECT DISTINCT settle FROM ${name} WHERE settle ${topology.global}NOT IN ${tables.committed(kind)}`,
    );
    const remove =
      kind === 'events'
        ? `DELETE FROM ${topology.getLocal(name)}${topology.onCluster} WHERE settle = {settle:UInt64}`
        : `ALTER TABLE ${topology.getLocal(name)}${topology.onCluster} DROP PARTITION {settle:UInt64}`;
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
    const columns = await this.promoted.readColumns();
    const rows = tables.rows(kind);
    const names = [...tables.recordColumns(kind), ...columns.map(({ name }) => name)].join(', ');
    const target = `INSERT INTO ${rows.name} (settle, ${names}) ${INSERT_SETTINGS}`;
    await database.command(`${target} ${this.promoted.lowerRows(columns)}`, { settle: flushId });
    if (kind === 'people' && last !== 0) {
      const isUpdated = `distinct_id ${topology.global}IN (SELECT distinct_id FROM ${tables.updates.name})`;
      const isKept = `settle = {last:UInt64} AND NOT (${isUpdated})`;
      const others = `SELECT {settle:UInt64}, ${names} FROM ${rows.name} WHERE ${isKept}`;
      await database.command(`${target} ${others}`, { settle: flushId, last });
    }
    await database.commands(topology.sync(rows));
  }

  /**
   * Makes the flush visible.
   *
   * @throws {StoreError} if another flush of the version was committed meanwhile, for example a late statement of an
   *   earlier attempt.
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
      throw new StoreError(`Another flush added ${kind} to the version at the same time. Flush them again.`);
    }
  }
}

/** Drops what failed flushes left behind. A flush that is still running fails. */
export async function dropTemporaryTables(
  database: ClickHouseDatabase,
  topology: Topology,
  tables: VersionTables,
  kinds: readonly RecordKind[],
): Promise<void> {
  for (const kind of kinds) {
    const found = await database.rows<{ name: string }>(
      'SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, {pattern:String})',
      { pattern: tables.temporaryPattern(kind) },
    );
    await database.commands(found.flatMap(({ name }) => topology.drop({ name })));
  }
}
