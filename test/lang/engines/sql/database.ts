import type { Dialect } from '../../../../src/lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../../../src/lang/engines/sql/sql.ts';

/** The types of columns that the layouts need, which each database has under a name of its own. */
export type ColumnType = 'integer' | 'double' | 'text' | 'boolean' | 'json' | 'map';

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** What a cell holds; JSON comes as text, a map as an object of texts. */
export type Cell = string | number | boolean | null | Readonly<Record<string, string>>;

/** A real database that the corpus is asked of. */
export interface Database {
  readonly dialect: Dialect;
  /** Whether its texts can hold U+0000. */
  readonly holdsNul: boolean;
  /** Makes a table in place of one of the same name. */
  createTable(name: string, columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]): Promise<void>;
  /** The rows of a query by the names of its columns; arrays come as arrays of texts. */
  query(sql: string, parameters: readonly SqlValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}
