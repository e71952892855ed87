import type { Dialect } from '../../src/lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../src/lang/engines/sql/sql.ts';
import type { Reads } from './sql-case.ts';
import type { LayoutName } from './sql-layouts.ts';

/** A database that runs the queries. */
export interface SqlDatabase {
  readonly dialect: Dialect;
  /** SQL by hand that reads properties, by layout. */
  readonly reads: Readonly<Record<LayoutName, Reads>>;
  /** Returns statements that create the table of a layout from a file of events. */
  load(layout: LayoutName, file: string): readonly string[];
  /** Opens a new database in a folder. */
  open(folder: string): Promise<SqlConnection>;
}

export interface SqlConnection {
  /** Runs a statement; returns its rows as arrays. */
  query(sql: string, parameters: readonly SqlValue[]): Promise<readonly (readonly unknown[])[]>;
  close(): void;
}
