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
