import type { Expression } from '../../ast.ts';
import { assertFunction, assertObject, assertParts, assertString } from '../../util/guard.ts';
import type { Channel, Channels } from './channels.ts';
import type { Overloads } from './overloads.ts';
import type { Sql, SqlValue } from './sql.ts';
import type { RestColumn } from './sql-source.ts';

/** Databases as people write them. */
export type DialectName = 'DuckDB' | 'ClickHouse' | 'PostgreSQL';

/**
 * Checks a dialect.
 *
 * @throws {TypeError} for anything else, such as its name.
 */
export function assertDialect(dialect: unknown, name: string): void {
  const guards = { name: assertString, overloads: assertObject, readProperty: assertFunction };
  assertParts(dialect, name, guards, 'a dialect: the export `duckdb`, `clickhouse` or `postgresql`');
}

/** What a database does in its own way. */
export interface Dialect {
  readonly name: DialectName;
  /** Statements that make the functions which the SQL calls; each is run once in a database, and does no harm when it is run again. */
  readonly setup: readonly string[];
  /** A name of a column or table, quoted. */
  quoteName(name: string): string;
  /** Returns a key that two names share if the database takes them for one column. */
  columnKey(name: string): string;
  /** The place of the parameter with this number, from 1 on. */
  placeholder(number: number, value: SqlValue): string;
  /** What is bound in place of a value that drivers do not bind as it is. */
  bound?(value: SqlValue): SqlValue;
  /** Why a node of the tree cannot be answered exactly, as the end of a sentence; nothing where it can. */
  unsupported?(node: Expression): string | undefined;
  /** What stands at the end of a subselect that must be worked out before what is around it, so that nothing in it is done twice. */
  readonly fence?: string;

  /** What a strict operator is in this dialect, for operands of the types of one of its overloads. */
  readonly overloads: Overloads;
  /** Whether operators take and answer numbers that are finite only, and NULL. */
  readonly answersAreFinite?: boolean;
  /** The numbers that no finite one is above or below. */
  readonly infinity: { readonly positive: Sql; readonly negative: Sql };
  /** The number, NULL where it is not finite or NULL. Refers to it as often as it likes. */
  finite(number: Sql): Sql;
  /** Whether a number is finite; NULL or false where it is NULL. */
  isFinite(number: Sql): Sql;
  /** Whether a condition holds: false where it is NULL. */
  isTrue(condition: Sql): Sql;
  /** Whether a condition does not hold: true where it is NULL. */
  isNotTrue(condition: Sql): Sql;

  /** The property of this name in a column of all properties. */
  readProperty(column: Sql, rest: Exclude<RestColumn, { kind: 'elsewhere' }>, name: string): Channels;
  /** A column of lists in JSON. */
  readList(column: Sql): Channel;

  /** The key of each type of element, by which lists are compared; see `element-key.ts`. */
  readonly elementKeys: {
    string(text: Sql): Sql;
    number(number: Sql): Sql;
    boolean(boolean: Sql): Sql;
  };
  /** Whether two lists have equal elements; NULL or false where one of the values is no list. */
  areEqual(left: Channel, right: Channel): Sql;
  /** Whether a list has the element with this key, which is never NULL; NULL where the value is no list. */
  hasElement(list: Channel, key: Sql): Sql;
  /** The distinct segment names of a list of element keys, as an array of texts. */
  elementNames(list: Sql): Sql;
  /** A row for each element of an array, in a list of what is selected. */
  unnest(array: string): string;
  /** An array of a single text. */
  single(text: Sql): Sql;
}
