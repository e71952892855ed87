import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';

/** The column of the place of a version, in tables that several versions share. */
export const PLACE_COLUMN = 'place';

/** Tables that count the events of a version by hour. Each row counts `weight` events, and its `time` starts their hour. */
export interface Rollups {
  /** The time before which all events are counted, in Unix seconds at the start of an hour. */
  readonly before: number;
  /** The counts by event and hour. */
  readonly table: SqlSource['table'];
  /** The counts also by the value of a property, in its columns of the table of events. */
  readonly byProperty: Readonly<Record<string, SqlSource['table']>>;
}

/** The SQL tables of a version, or of several that share them. The README of this folder lists their columns. */
export interface VersionSources {
  readonly events: SqlSource;
  readonly people: SqlSource;
  /** Absent if there are none. */
  readonly rollups?: Rollups | undefined;
  /** The place of the version in the order of all; absent if several share the tables: {@link PLACE_COLUMN} has it. */
  readonly place?: number;
  /** The names of frequent properties that have no columns in these tables. */
  readonly frequent?: Readonly<Record<'events' | 'people', readonly string[]>>;
}

/** A row of a result, as parsed JSON. */
export type JsonSqlRow = Readonly<Record<string, unknown>>;

/** Versions that can be queried in SQL. Each query sees them at one moment. */
export interface StoreSnapshot {
  readonly dialect: Dialect;
  /** Whether all queries see the same moment, so that their results are consistent with each other. */
  readonly isSnapshot: boolean;
  /** Whether it hides some records, whose properties still have columns in its versions. */
  readonly isFiltered?: true;
  /** Versions without flushed records are left out. */
  readonly versions: readonly VersionSources[];
  /** The parameters that the tables of the versions take. Those of a statement come after them. */
  readonly parameters: readonly SqlValue[];

  /**
   * Returns a table in SQL, without an alias: the rows that a SELECT returns on each shard of a cluster. The tables of
   * the versions can only be read in such a SELECT. All rows of a user are on one shard. Absent if all rows are in one
   * database.
   */
  readonly gather?: ((select: string) => string) | undefined;

  /**
   * Returns all rows of a query with a short result.
   *
   * @param parameters the values of the parameters of the dialect, in order; first those of the snapshot
   * @throws {StoreError}
   * @throws the reason of the signal if it was aborted
   */
  rows(sql: string, parameters: readonly SqlValue[]): Promise<readonly JsonSqlRow[]>;

  /** Streams the rows of a query in chunks. Otherwise like {@link StoreSnapshot.rows}. */
  stream(sql: string, parameters: readonly SqlValue[]): AsyncIterable<readonly JsonSqlRow[]>;
}

export interface SnapshotOptions {
  /** Interrupts the running query. */
  readonly signal?: AbortSignal;
}

/** Collects the rows of all chunks. */
export async function collectRows(chunks: AsyncIterable<readonly JsonSqlRow[]>): Promise<readonly JsonSqlRow[]> {
  const rows: JsonSqlRow[] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  return rows;
}

/** Returns a table in SQL, without an alias, with the rows that a SELECT over versions returns. */
export function lowerAllRows({ gather }: StoreSnapshot, select: string): string {
  return gather === undefined ? `(${select})` : gather(select);
}
