import { getPromotedColumnName, type PromotedProperty, type PropertyType } from '../promoted.ts';
import { type JsonKind, type KindCounts, lowerPointers } from './census.ts';

/** The SQL types of columns by the types of their values. Lists are stored as JSON. */
export const COLUMN_TYPES: Readonly<Record<PropertyType, string>> = {
  number: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
  null: 'BOOLEAN',
  list: 'JSON',
};

/** SQL that fills the columns of promoted properties. */
export interface Extraction {
  /** The columns, each with an expression over `extracted`. */
  readonly columns: readonly (readonly [name: string, sql: string])[];
  /** The rows with the values read from their JSON. Each JSON is parsed once, because that takes the most time. */
  readonly extracted: string;
}

/**
 * Returns SQL that extracts promoted properties from the column `properties`.
 *
 * @param rows SQL after `FROM`
 * @param kinds the kinds of values that each property has in these rows. Only those with several are tested per row.
 * @param own columns that the rows lack, with the properties whose values they hold as strings
 */
export function lowerExtraction(
  rows: string,
  promoted: readonly PromotedProperty[],
  kinds: ReadonlyMap<string, KindCounts>,
  own: Readonly<Record<string, string>> = {},
): Extraction {
  const getKinds = ({ name }: PromotedProperty): JsonKind[] => [...(kinds.get(name)?.keys() ?? [])];
  const present = promoted.filter((property) => getKinds(property).some((kind) => kind !== 'object'));
  const mixed = present.filter((property) => getKinds(property).length > 1 || getKinds(property).includes('null'));
  const names = [...Object.values(own), ...present.map(({ name }) => name)];
  const texts = Object.keys(own).map((column, index) => `texts[${index + 1}] AS ${column}`);
  const columns = present.flatMap((property) => {
    const text = `texts[${names.indexOf(property.name) + 1}]`;
    const kind = mixed.includes(property) ? `types[${mixed.indexOf(property) + 1}]` : undefined;
    const found = getKinds(property);
    return property.types
      .filter((type) => found.includes(type))
      .map((type) => [getPromotedColumnName(property, type), lowerValue(type, text, kind)] as const);
  });
  const read = [
    names.length > 0 && `json_extract_string(properties, ${lowerPointers(names)}) AS texts`,
    mixed.length > 0 && `json_type(properties, ${lowerPointers(mixed.map(({ name }) => name))}) AS types`,
  ];
  const extracted = `(SELECT ${['*', ...read.filter(Boolean)].join(', ')} FROM ${rows})`;
  return { columns, extracted: texts.length === 0 ? extracted : `(SELECT *, ${texts.join(', ')} FROM ${extracted})` };
}

/** Returns SQL for a value as its column holds it. Without `kind`, all values are of this type. */
function lowerValue(type: PropertyType, text: string, kind: string | undefined): string {
  const value = castText(type, text);
  return kind === undefined ? value : `CASE WHEN ${lowerTypeTest(type, kind)} THEN ${value} END`;
}

function castText(type: PropertyType, text: string): string {
  switch (type) {
    case 'number':
      return `TRY_CAST(${text} AS DOUBLE)`;
    case 'boolean':
      return `${text} = 'true'`;
    case 'null':
      return 'true';
    default:
      return text;
  }
}

function lowerTypeTest(type: PropertyType, kind: string): string {
  switch (type) {
    case 'number':
      return `${kind} IN ('DOUBLE', 'UBIGINT', 'BIGINT')`;
    case 'string':
      return `${kind} = 'VARCHAR'`;
    case 'boolean':
      return `${kind} = 'BOOLEAN'`;
    case 'null':
      return `${kind} = 'NULL'`;
    case 'list':
      return `${kind} = 'ARRAY'`;
  }
}
