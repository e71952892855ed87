import { assertFunction, assertObject, assertParts, assertString } from '../../../base/guard.ts';
import type { Expression } from '../../ast.ts';
import type { Steps } from '../../operators/zone-offsets.ts';
import type { Channel, Channels } from './channels.ts';
import type { Overloads } from './overloads.ts';
import type { Sql, SqlValue } from './sql.ts';
import type { RestColumn } from './sql-source.ts';

/** The names of the supported databases. */
export type DialectName = 'DuckDB' | 'ClickHouse' | 'PostgreSQL' | 'SQLite';

/**
 * Checks a dialect.
 *
 * @throws {TypeError} if the value is not a dialect, such as its name.
 */
export function assertDialect(dialect: unknown, name: string): void {
  const guards = { name: assertString, overloads: assertObject, readProperty: assertFunction };
  assertParts(dialect, name, guards, 'a dialect: the export `duckdb`, `clickhouse`, `postgresql` or `sqlite`');
}

/** The SQL of one database. */
export interface Dialect {
  readonly name: DialectName;
  /** Statements that create the functions that the SQL calls. Run each once per database; they can be run again. */
  readonly setup: readonly string[];
  /** Quotes the name of a column or table. */
  quoteName(name: string): string;
  /** Returns a key that is equal for two names if the database treats them as the same column. */
  getColumnKey(name: string): string;
  /** Returns the placeholder of the parameter with this one-based number. */
  placeholder(number: number, value: SqlValue): string;
  /** Converts a value that drivers cannot bind unchanged. */
  toBindable?(value: SqlValue): SqlValue;
  /**
   * Returns why the database cannot compute a node exactly, as the end of a sentence; undefined if it can.
   *
   * @param hasColumns Whether the node is a property with columns of its own.
   */
  explainUnsupported?(node: Expression, hasColumns: boolean): string | undefined;
  /** The optimization fence at the end of a subselect, so that its columns are computed only once. */
  readonly fence?: string;

  /** The SQL templates of the strict operators, by overload. */
  readonly overloads: Overloads;
  /** Whether operators take and return only finite numbers and NULL. */
  readonly resultsAreFinite?: boolean;
  /** Positive and negative infinity. */
  readonly infinity: { readonly positive: Sql; readonly negative: Sql };
  /** Returns the number; NULL if it is not finite or NULL. The SQL may repeat the operand. */
  nullIfNotFinite(number: Sql): Sql;
  /** Tests whether a number is finite; NULL or false if it is NULL. */
  isFinite(number: Sql): Sql;
  /** Tests whether a condition is true; false if it is NULL. */
  isTrue(condition: Sql): Sql;
  /** Tests whether a condition is not true; true if it is NULL. */
  isNotTrue(condition: Sql): Sql;

  /** Returns the value of a function of a number that changes in steps. Without it, a tree of conditions does. */
  lookUpStep?(at: Sql, steps: Steps): Sql;

  /** Reads the property with this name from the column with all other properties. */
  readProperty(column: Sql, rest: Exclude<RestColumn, { kind: 'elsewhere' }>, name: string): Channels;
  /** Reads a column of lists in JSON. */
  readList(column: Sql): Channel;

  /** Convert elements to the keys by which lists are compared; see `encode-element.ts`. */
  readonly elementKeys: {
    string(string: Sql): Sql;
    number(number: Sql): Sql;
    boolean(boolean: Sql): Sql;
  };
  /** Tests whether two lists have equal elements; NULL or false if one of the values is not a list. */
  areEqual(left: Channel, right: Channel): Sql;
  /** Tests whether a list has the element with this key, which is never NULL; NULL if the value is not a list. */
  hasElement(list: Channel, key: Sql): Sql;
  /** Returns the distinct segment names of a list of element keys, as an array of strings. */
  getElementNames(list: Sql): Sql;
  /** Returns a select item that produces one row per element of an array. */
  unnest(array: string): string;
  /** Returns a table of the elements of an array, if the item of `unnest` needs it in the same `FROM`. */
  joinElements?(array: string): string;
  /** Returns an array with a single string. */
  createArray(string: Sql): Sql;
}
