import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';

/** Where the records of a version are, for SQL. Beside their properties, tables have the columns that the README of this folder lists. */
export interface VersionSources {
  readonly events: SqlSource;
  readonly people: SqlSource;
}

/** A row of an answer, as JSON has it. */
export type JsonSqlRow = Readonly<Record<string, unknown>>;

/** Versions that are lent for questions in SQL, each of which finds them as they are at one moment. */
export interface StoreSnapshot {
  readonly dialect: Dialect;
  /** Whether that is the same moment for all questions, so that the answers of several go together. */
  readonly isSnapshot: boolean;
  /** Those of which something is flushed. */
  readonly versions: readonly VersionSources[];

  /**
   * The rows of a short answer. Parameters are those of the dialect, the first one first.
   *
   * @throws the reason of the signal where it was given up; {@link StoreError}
   */
  rows(sql: string, parameters: readonly SqlValue[]): Promise<readonly JsonSqlRow[]>;

  /** The rows of a long answer, as they are found. As `rows`. */
  stream(sql: string, parameters: readonly SqlValue[]): AsyncIterable<readonly JsonSqlRow[]>;
}

export interface SnapshotOptions {
  /** Gives up what is asked, at once, and says why. */
  readonly signal?: AbortSignal;
}

/** All rows of a short answer. */
export async function collectRows(chunks: AsyncIterable<readonly JsonSqlRow[]>): Promise<readonly JsonSqlRow[]> {
  const rows: JsonSqlRow[] = [];
  for await (const some of chunks) rows.push(...some);
  return rows;
}
