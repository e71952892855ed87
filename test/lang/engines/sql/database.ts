import type { Dialect } from '../../../../src/lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../../../src/lang/engines/sql/sql.ts';

/** The column types that the layouts need. Each database names them differently. */
export type ColumnType = 'integer' | 'double' | 'text' | 'boolean' | 'json' | 'map';

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** The value of a cell. JSON is a string, a map is an object of strings. */
export type Cell = string | number | boolean | null | Readonly<Record<string, string>>;

/** A real database that evaluates the corpus. */
export interface Database {
  readonly dialect: Dialect;
  /** Whether its strings can contain U+0000. */
  readonly holdsNul: boolean;
  /** Whether its SQL is long and slow: then fewer expressions share a statement, and a tenth of the powers is tested. */
  readonly hasLongSql?: boolean;
  /** Creates a table. Replaces a table of the same name. */
  createTable(name: string, columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]): Promise<void>;
  /** Returns the rows of a query as objects by column name. Arrays are arrays of strings. */
  query(sql: string, parameters: readonly SqlValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}
