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
} from '../../util/guard.ts';

/** A table and where in it the properties are. The columns are those of the table, or of a subselect or view in its place. */
export interface SqlSource {
  /** Its name, or the parts of it: `["analytics", "events"]`. */
  readonly table: string | readonly string[];
  /** Where the properties of an event are. */
  readonly properties: PropertySource;
  /** Where the properties of its user are; left out where the source does not know them. */
  readonly user?: PropertySource;
}

/** Where the properties of a scope are: some in columns of their own, all others in one column or, without it, nowhere. */
export interface PropertySource {
  /** Properties that have columns of their own, by name. */
  readonly columns?: Readonly<Record<string, PropertyColumns>>;
  /** The column of all others. */
  readonly rest?: RestColumn;
}

/**
 * The columns of a property, one for each type that occurs; SQL NULL in all of them is a missing property. At most one holds a
 * value: a double, a text, a boolean, `true` for null, and a list as JSON.
 */
export interface PropertyColumns {
  readonly number?: string;
  readonly string?: string;
  readonly boolean?: string;
  readonly null?: string;
  readonly list?: string;
}

/**
 * Elsewhere: what reads such a property is unsupported, and can be split off. Or a column of JSON objects (DuckDB `JSON`, ClickHouse `String`, PostgreSQL `jsonb`), or a map from names to texts or to JSON
 * (DuckDB `MAP`, ClickHouse `Map`).
 */
export type RestColumn =
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'json'; readonly column: string }
  | { readonly kind: 'map'; readonly column: string; readonly values: 'text' | 'json' };

/**
 * Checks a source.
 *
 * @throws {TypeError} that names the part which has another shape.
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

/** The parts of the column of all others, by its kind. */
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
