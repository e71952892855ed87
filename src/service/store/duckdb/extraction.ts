import { getPromotedColumnName, type PromotedProperty, type PropertyType } from '../promoted.ts';
import { type JsonKind, type KindCounts, lowerPointers } from './census.ts';
import { quoteSqlString } from './quote-sql.ts';

/** The SQL types of columns by the types of their values. Lists are stored as JSON. */
export const COLUMN_TYPES: Readonly<Record<PropertyType, string>> = {
  number: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
  null: 'BOOLEAN',
  list: 'JSON',
};

/** A column that rows lack, with the property that its values are read from. */
export interface OwnColumn {
  readonly column: string;
  readonly property: string;
  /** The SQL type, which the values must fit. */
  readonly type: string;
}

/** SQL that fills the columns of promoted properties. */
export interface Extraction {
  /** The columns, each with an expression over `extracted`. */
  readonly columns: readonly (readonly [name: string, sql: string])[];
  /** The rows with the values read from their JSON by few functions, each of which parses it again. */
  readonly extracted: string;
}

/**
 * Returns SQL that extracts promoted properties from the column `properties`.
 *
 * @param rows SQL after `FROM`
 * @param kinds the kinds of values that each property has in these rows. Only those with several are tested per row.
 */
export function lowerExtraction(
  rows: string,
  promoted: readonly PromotedProperty[],
  kinds: ReadonlyMap<string, KindCounts>,
  own: readonly OwnColumn[],
): Extraction {
  const present = promoted
    .map((property) => ({ ...property, found: [...(kinds.get(property.name)?.keys() ?? [])] }))
    .filter(({ found }) => found.some((kind) => kind !== 'object'));
  const fields = selectFields([
    ...own.map(({ property, type }) => [property, type] as const),
    ...present.map(({ name, found }) => [name, getFieldType(found)] as const),
  ]);
  const others = present.filter(({ name }) => !fields.has(name)).map(({ name }) => name);
  // Fields do not distinguish null from an absent property.
  const nullable = present.filter(({ found }) => found.includes('null')).map(({ name }) => name);
  const lowerValue = (type: PropertyType, name: string) => {
    if (type === 'null') return `CASE types[${nullable.indexOf(name) + 1}] WHEN 'NULL' THEN true END`;
    const fieldType = fields.get(name);
    if (fieldType === undefined) return lowerJsonValue(type, `others[${others.indexOf(name) + 1}]`);
    return fieldType === 'JSON' ? lowerJsonValue(type, lowerField(name)) : lowerField(name);
  };
  const columns = present.flatMap((property) =>
    property.types
      .filter((type) => property.found.includes(type))
      .map((type) => [getPromotedColumnName(property, type), lowerValue(type, property.name)] as const),
  );
  const read = [
    fields.size > 0 &&
      `json_transform(properties, ${quoteSqlString(JSON.stringify(Object.fromEntries(fields)))}) AS fields`,
    others.length > 0 && `json_extract(properties, ${lowerPointers(others)}) AS others`,
    nullable.length > 0 && `json_type(properties, ${lowerPointers(nullable)}) AS types`,
  ];
  const extracted = `(SELECT ${['*', ...read.filter(Boolean)].join(', ')} FROM ${rows})`;
  const owned = own.map(({ column, property }) => `${lowerField(property)} AS ${column}`);
  return { columns, extracted: owned.length === 0 ? extracted : `(SELECT *, ${owned.join(', ')} FROM ${extracted})` };
}

/** Returns the type of the field for a property. A typed field holds the value of the only column as it is. */
function getFieldType(kinds: readonly JsonKind[]): string {
  const [type, ...others] = kinds.filter((kind) => kind !== 'null');
  return type === undefined || type === 'object' || others.length > 0 ? 'JSON' : COLUMN_TYPES[type];
}

/**
 * Selects the properties that can be fields of one struct. DuckDB refuses empty names, and takes a field for another if
 * their names differ only in case.
 */
function selectFields(properties: readonly (readonly [name: string, type: string])[]): ReadonlyMap<string, string> {
  const lowercase = new Set(['']);
  return new Map(
    properties.filter(([name]) => {
      const isNew = !lowercase.has(name.toLowerCase());
      lowercase.add(name.toLowerCase());
      return isNew;
    }),
  );
}

function lowerField(name: string): string {
  return `struct_extract(fields, ${quoteSqlString(name)})`;
}

/** Returns SQL for the value in a field of JSON if it is of a type. */
function lowerJsonValue(type: Exclude<PropertyType, 'null'>, field: string): string {
  // A cast of JSON would convert its value.
  const text = `CAST(${field} AS VARCHAR)`;
  switch (type) {
    case 'number':
      return `TRY_CAST(${text} AS DOUBLE)`;
    case 'string':
      return `CASE WHEN starts_with(${text}, '"') THEN json_extract_string(${field}, '$') END`;
    case 'boolean':
      return `CASE ${text} WHEN 'true' THEN true WHEN 'false' THEN false END`;
    case 'list':
      return `CASE WHEN starts_with(${text}, '[') THEN ${field} END`;
  }
}
