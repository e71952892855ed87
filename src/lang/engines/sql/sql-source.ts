import {
  arrayOf,
  assertFields,
  assertObject,
  assertString,
  type Guard,
  guardIf,
  oneOf,
  optional,
  recordOf,
} from '../../../base/guard.ts';

/** A table, view or subselect, and the columns that hold its properties. */
export interface SqlSource {
  /** The name of the table, or its parts: `["analytics", "events"]`. */
  readonly table: string | readonly string[];
  /** The columns with the properties of an event. */
  readonly properties: PropertySource;
  /** The columns with the properties of its user. Leave it out if the table does not have them. */
  readonly user?: PropertySource;
}

/** The columns with the properties of an event or a user. Without `rest`, a property without columns is missing. */
export interface PropertySource {
  /** The columns of single properties, by property name. */
  readonly columns?: Readonly<Record<string, PropertyColumns>>;
  /** The column with all other properties. */
  readonly rest?: RestColumn;
}

/**
 * The columns of a property, one for each type that occurs. At most one of them holds a value: a double, a string, a
 * boolean, `true` for null, or a list as JSON. If all are SQL NULL, the property is missing.
 */
export interface PropertyColumns {
  readonly number?: string;
  readonly string?: string;
  readonly boolean?: string;
  readonly null?: string;
  readonly list?: string;
}

/**
 * The column with all other properties:
 *
 * - `elsewhere`: not in the table. Expressions that read such a property are unsupported, but `splitSql` can split
 *   them.
 * - `json`: a column of JSON objects (DuckDB `JSON`, ClickHouse `String`, PostgreSQL `jsonb`).
 * - `map`: a map from names to strings or to JSON (DuckDB `MAP`, ClickHouse `Map`).
 */
export type RestColumn =
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'json'; readonly column: string }
  | { readonly kind: 'map'; readonly column: string; readonly values: 'text' | 'json' };

/**
 * Checks a source.
 *
 * @throws {TypeError} if a part has the wrong shape; the message names the part.
 */
export function assertSqlSource(source: unknown, name: string): void {
  const guards = { table: assertTable, properties: assertPropertySource, user: optional(assertPropertySource) };
  assertFields(source, name, guards, 'an object such as { table: "events", properties: { columns: {} } }');
}

function assertTable(table: unknown, name: string): void {
  if (Array.isArray(table)) arrayOf(assertString)(table, name);
  else guardIf((value) => typeof value === 'string', 'a string or an array of strings')(table, name);
}

const assertPropertySource: Guard = (source, name) => {
  const expected = 'an object such as { rest: { kind: "json", column: "properties" } }';
  assertFields(source, name, { columns: optional(recordOf(assertColumns)), rest: optional(assertRest) }, expected);
};

const COLUMNS = {
  number: optional(assertString),
  string: optional(assertString),
  boolean: optional(assertString),
  null: optional(assertString),
  list: optional(assertString),
} satisfies Record<keyof PropertyColumns, Guard>;

function assertColumns(columns: unknown, name: string): void {
  assertFields(columns, name, COLUMNS, 'an object of columns by type, such as { string: "plan" }');
}

/** Guards for the fields of `rest`, by kind. */
const RESTS = {
  elsewhere: {},
  json: { column: assertString },
  map: { column: assertString, values: oneOf(['text', 'json']) },
} satisfies Record<RestColumn['kind'], Readonly<Record<string, Guard>>>;

function assertRest(rest: unknown, name: string): void {
  assertObject(rest, name, 'an object such as { kind: "json", column: "properties" }');
  const expectKind: Guard = oneOf(Object.keys(RESTS));
  expectKind(rest.kind, `${name}.kind`);
  assertFields(rest, name, { kind: expectKind, ...RESTS[rest.kind as RestColumn['kind']] });
}
