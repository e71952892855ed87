import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';

/** The SQL tables of a version. The README of this folder lists their columns. */
export interface VersionSources {
  readonly events: SqlSource;
  readonly people: SqlSource;
}

/** A row of a result, as parsed JSON. */
export type JsonSqlRow = Readonly<Record<string, unknown>>;

/** Versions that can be queried in SQL. Each query sees them at one moment. */
export interface StoreSnapshot {
  readonly dialect: Dialect;
  /** Whether all queries see the same moment, so that their results are consistent with each other. */
  readonly isSnapshot: boolean;
  /** Versions without flushed records are left out. */
  readonly versions: readonly VersionSources[];

  /**
   * Returns all rows of a query with a short result.
   *
   * @param parameters the values of the parameters of the dialect, in order
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
