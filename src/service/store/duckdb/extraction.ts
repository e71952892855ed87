import { getPromotedColumnName, type PromotedProperty, type PropertyType } from '../promoted.ts';
import { type JsonKind, type KindCounts, lowerPointers } from './census.ts';

/** The types of columns, by the types of what they hold. A list is kept as JSON. */
export const COLUMN_TYPES: Readonly<Record<PropertyType, string>> = {
  number: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
  null: 'BOOLEAN',
  list: 'JSON',
};

/** What fills the columns of promoted properties. */
export interface Extraction {
  /** The columns, and an expression for each over `extracted`. */
  readonly columns: readonly (readonly [name: string, sql: string])[];
  /** The rows beside what is read from their JSON, each row in one go, since to read it takes the most time. */
  readonly extracted: string;
}

/**
 * Takes properties apart that are in a column called `properties`. What kinds of values they have in these rows is known, so that only those
 * of several kinds are asked for theirs. `own` are columns that the rows have not, and properties whose texts they are.
 */
export function lowerExtraction(
  rows: string,
  promoted: readonly PromotedProperty[],
  kinds: ReadonlyMap<string, KindCounts>,
  own: Readonly<Record<string, string>> = {},
): Extraction {
  const kindsIn = ({ name }: PromotedProperty): JsonKind[] => [...(kinds.get(name)?.keys() ?? [])];
  const present = promoted.filter((property) => kindsIn(property).some((kind) => kind !== 'object'));
  const mixed = present.filter((property) => kindsIn(property).length > 1 || kindsIn(property).includes('null'));
  const names = [...Object.values(own), ...present.map(({ name }) => name)];
  const texts = Object.keys(own).map((column, index) => `texts[${index + 1}] AS ${column}`);
  const columns = present.flatMap((property) => {
    const text = `texts[${names.indexOf(property.name) + 1}]`;
    const kind = mixed.includes(property) ? `types[${mixed.indexOf(property) + 1}]` : undefined;
    const found = kindsIn(property);
    return property.types
      .filter((type) => found.includes(type))
      .map((type) => [getPromotedColumnName(property, type), channel(type, text, kind)] as const);
  });
  const read = [
    names.length > 0 && `json_extract_string(properties, ${lowerPointers(names)}) AS texts`,
    mixed.length > 0 && `json_type(properties, ${lowerPointers(mixed.map(({ name }) => name))}) AS types`,
  ];
  const extracted = `(SELECT ${['*', ...read.filter(Boolean)].join(', ')} FROM ${rows})`;
  return { columns, extracted: texts.length === 0 ? extracted : `(SELECT *, ${texts.join(', ')} FROM ${extracted})` };
}

/** A value of a type as its column holds it. Without its kind, no other type occurs. */
function channel(type: PropertyType, text: string, kind: string | undefined): string {
  const value = valueOfType(type, text);
  return kind === undefined ? value : `CASE WHEN ${isOfType(type, kind)} THEN ${value} END`;
}

function valueOfType(type: PropertyType, text: string): string {
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

function isOfType(type: PropertyType, kind: string): string {
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
