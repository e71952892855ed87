import { randomInt } from 'node:crypto';
import type { LogFile } from '../../storage/log-files.ts';
import { RECORD_KINDS, type RecordKind } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type ClickHouseDatabase, INSERT_SETTINGS } from './database.ts';
import { foldPeople, lowerSteps } from './fold-people.ts';
import { readNumberedLines } from './numbered-lines.ts';
import { PromotedColumns } from './promoted-columns.ts';
import type { Topology } from './topology.ts';
import { FLUSH_COLUMN, LOG_FILES_COLUMN, type VersionTables } from './version-tables.ts';

/** The maximum random ID of a flush, so large that no two are equal. */
const MAX_FLUSH_ID = 2 ** 48 - 1;

/** The committed flushes of a kind. */
interface Commits {
  /** The number of flushes. */
  readonly number: number;
  /** The ID of the last flush; 0 if there is none. */
  readonly last: number;
  /** The log files, among those to flush, that were flushed before. */
  readonly files: readonly string[];
}

/** A temporary table and the ID of its flush. */
interface TemporaryTable {
  readonly name: string;
  readonly flush: string;
}

/**
 * Adds log files to a version. Inserted rows are invisible until the flush is committed by inserting one row. The next
 * flush abandons a flush that failed and removes its rows.
 */
export class LogFlush {
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

  async run(files: readonly LogFile[]): Promise<void> {
    const { database, topology, tables, kind } = this;
    await database.commands(tables.create());
    await database.commands(topology.sync(tables.commits));
    const failed = await listTemporaryTables(database, tables, [kind]);
    await this.abandon(failed);
    const { number, last, files: known } = await this.readCommits(files);
    const added = files.filter(({ name }) => !known.includes(name));
    if (added.length === 0) return;
    await this.removeUncommitted();
    await database.commands(failed.flatMap((table) => topology.drop(table)));
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

  /**
   * Abandons failed flushes, so that a late statement cannot commit one after its rows are removed. A failed flush has
   * temporary tables until it is abandoned.
   */
  private async abandon(failed: readonly TemporaryTable[]): Promise<void> {
    if (failed.length === 0) return;
    const { database, topology, tables, kind } = this;
    const { commits } = tables;
    await database.command(
      `INSERT INTO ${commits.name} (kind, number, ${FLUSH_COLUMN}) ${INSERT_SETTINGS}
SELECT {kind:String}, 0, toUInt64OrZero(arrayJoin({failed:Array(String)})) AS failed
WHERE failed NOT IN (SELECT ${FLUSH_COLUMN} FROM ${commits.name} WHERE kind = {kind:String})`,
      { kind, failed: [...new Set(failed.map(({ flush }) => flush))] },
    );
    await database.commands(topology.sync(commits));
  }

  private async readCommits(files: readonly LogFile[]): Promise<Commits> {
    const [found] = await this.database.rows<{ commits: number; last: string | number; known: string[] }>(
      `SELECT max(number) AS commits, argMax(flush, number) AS last,
  groupUniqArrayArray(arrayIntersect(files, {files:Array(String)})) AS known
FROM ${this.tables.commitsOf(this.kind)}`,
      { files: files.map(({ name }) => name) },
    );
    return { number: found?.commits ?? 0, last: Number(found?.last ?? 0), files: found?.known ?? [] };
  }

  /** Removes the rows of flushes that are not visible: failed ones, and those of people before the last. */
  private async removeUncommitted(): Promise<void> {
    const { database, topology, tables, kind } = this;
    const { name } = tables.rows(kind);
    const stale = await database.rows<{ flush: string | number }>(
      `SELECT DISTINCT ${FLUSH_COLUMN} AS flush FROM ${name} WHERE ${FLUSH_COLUMN} ${topology.global}NOT IN ${tables.committed(kind)}`,
    );
    const remove =
      kind === 'events'
        ? `DELETE FROM ${topology.getLocal(name)}${topology.onCluster} WHERE ${FLUSH_COLUMN} = {flush:UInt64}`
        : `ALTER TABLE ${topology.getLocal(name)}${topology.onCluster} DROP PARTITION {flush:UInt64}`;
    for (const { flush } of stale) await database.command(remove, { flush });
  }

  private async loadEvents(files: readonly LogFile[]): Promise<void> {
    const { name } = this.tables.incoming('events');
    const columns = ['position', ...this.tables.recordColumns('events')];
    for await (const lines of readNumberedLines('events', files)) await this.database.insert(name, columns, lines);
  }

  private async loadPeople(files: readonly LogFile[], last: number): Promise<void> {
    const { database, topology, tables } = this;
    for await (const lines of readNumberedLines('people', files)) {
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
    const target = `INSERT INTO ${rows.name} (${FLUSH_COLUMN}, ${names}) ${INSERT_SETTINGS}`;
    await database.command(`${target} ${this.promoted.lowerRows(columns)}`, { flush: flushId });
    if (kind === 'people' && last !== 0) {
      const isUpdated = `distinct_id ${topology.global}IN (SELECT distinct_id FROM ${tables.updates.name})`;
      const isKept = `${FLUSH_COLUMN} = {last:UInt64} AND NOT (${isUpdated})`;
      const others = `SELECT {flush:UInt64}, ${names} FROM ${rows.name} WHERE ${isKept}`;
      await database.command(`${target} ${others}`, { flush: flushId, last });
    }
    await database.commands(topology.sync(rows));
  }

  /**
   * Makes the flush visible.
   *
   * @throws {StoreError} if another flush of the version was committed meanwhile, for example a late statement of an
   *   earlier attempt.
   */
  private async commit(number: number, files: readonly LogFile[]): Promise<void> {
    const { database, tables, kind, flushId } = this;
    const { commits } = tables;
    const isNext = `(SELECT max(number) FROM ${tables.commitsOf(kind)}) = {number:UInt32} - 1`;
    await database.command(
      `INSERT INTO ${commits.name} (kind, number, ${FLUSH_COLUMN}, ${LOG_FILES_COLUMN}) ${INSERT_SETTINGS}
SELECT {kind:String}, {number:UInt32}, {flush:UInt64}, {files:Array(String)} WHERE ${isNext}`,
      { kind, number, flush: flushId, files: files.map(({ name }) => name) },
    );
    await database.commands(this.topology.sync(commits));
    const found = await database.rows<{ flush: string | number }>(
      `SELECT flush FROM ${tables.commitsOf(kind)} WHERE number = {number:UInt32}`,
      { number },
    );
    if (found.length !== 1 || Number(found[0]?.flush) !== flushId) {
      throw new StoreError(`Another flush added ${kind} to the version at the same time. Flush them again.`);
    }
  }
}

/** Drops what failed flushes left behind. A flush that is still running fails. */
export async function dropTemporaryTables(
  database: ClickHouseDatabase,
  topology: Topology,
  tables: VersionTables,
): Promise<void> {
  const found = await listTemporaryTables(database, tables, RECORD_KINDS);
  await database.commands(found.flatMap((table) => topology.drop(table)));
}

/** Returns the temporary tables of all flushes, with the ID of the flush. */
async function listTemporaryTables(
  database: ClickHouseDatabase,
  tables: VersionTables,
  kinds: readonly RecordKind[],
): Promise<TemporaryTable[]> {
  const found = kinds.map((kind) =>
    database.rows<TemporaryTable>(
      `SELECT name, extract(name, {pattern:String}) AS flush FROM system.tables
WHERE database = currentDatabase() AND match(name, {pattern:String})`,
      { pattern: tables.temporaryPattern(kind) },
    ),
  );
  return (await Promise.all(found)).flat();
}
