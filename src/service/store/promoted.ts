import type { PropertyColumns } from '../../lang/engines/sql/sql-source.ts';

/** A type of values that has a column of its own. */
export type PropertyType = keyof PropertyColumns;

export const PROPERTY_TYPES: readonly PropertyType[] = ['number', 'string', 'boolean', 'null', 'list'];

/** How many records have a value of each type under a name. Objects have no column, so that none counts them. */
export type TypeCounts = Readonly<Partial<Record<PropertyType, number>>>;

/** A property with columns of its own. */
export interface PromotedProperty {
  readonly name: string;
  /** What its columns are named by, since a name may have any character. */
  readonly number: number;
  /** The types that occur, each with a column. */
  readonly types: readonly PropertyType[];
}

/** Each column costs time and memory whenever a table is written, whether its property occurs or not. */
export const MAX_COLUMNS = 128;

/** A property of fewer records is as well read from the JSON of those that have it, which queries for an event find first. */
const MIN_SHARE = 0.01;

/** What the columns of an event hold in any case. A person seldom has properties of these names. */
export const NOT_PROMOTED: readonly string[] = ['distinct_id', 'time', '$insert_id'];

/** Longer ones are nobody's names, and would be written with each statement. */
const MAX_NAME_LENGTH = 255;

/** Whether a property can have columns of its own: SQL cannot hold every text. */
function isPromotable(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && !name.includes('\0');
}

/** How many of some records must have a property for it to be promoted. */
export function getPromotionThreshold(records: number): number {
  return Math.max(1, Math.ceil(records * MIN_SHARE));
}

/** The properties to promote, most frequent first: as many as fit into the columns that a table should have. */
export function choosePromoted(census: ReadonlyMap<string, TypeCounts>, records: number): string[] {
  const counted = [...census].map(([name, counts]) => {
    const values = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { name, values, columns: Object.keys(counts).length };
  });
  const frequent = counted.filter(({ name, values }) => values >= getPromotionThreshold(records) && isPromotable(name));
  const chosen: string[] = [];
  let columns = 0;
  for (const property of frequent.sort((left, right) => right.values - left.values)) {
    columns += property.columns;
    if (columns > MAX_COLUMNS) break;
    chosen.push(property.name);
  }
  return chosen;
}

/** The name of a column of a promoted property. */
export function getPromotedColumnName({ number }: Pick<PromotedProperty, 'number'>, type: PropertyType): string {
  return `p${number}_${type}`;
}

/** Where the columns of promoted properties are, for the SQL of expressions. */
export function getPromotedColumns(promoted: readonly PromotedProperty[]): Record<string, PropertyColumns> {
  return Object.fromEntries(
    promoted.map((property) => [
      property.name,
      Object.fromEntries(property.types.map((type) => [type, getPromotedColumnName(property, type)])),
    ]),
  );
}
