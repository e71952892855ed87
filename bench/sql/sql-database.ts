import type { Dialect } from '../../src/lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../src/lang/engines/sql/sql.ts';
import type { Reads } from './sql-case.ts';
import type { LayoutName } from './sql-layouts.ts';

/** A database that questions are asked of. */
export interface SqlDatabase {
  readonly dialect: Dialect;
  /** How a person reads properties, by layout. */
  readonly reads: Readonly<Record<LayoutName, Reads>>;
  /** What makes the table of a layout from a file of events. */
  load(layout: LayoutName, file: string): readonly string[];
  /** Opens a database of its own in a folder. */
  open(folder: string): Promise<SqlConnection>;
}

export interface SqlConnection {
  /** Runs a statement; the rows that it has, as arrays. */
  query(sql: string, parameters: readonly SqlValue[]): Promise<readonly (readonly unknown[])[]>;
  close(): void;
}
