import type { PropertyColumns } from '../../lang/engines/sql/sql-source.ts';

/** A type of values that can have a column. */
export type PropertyType = keyof PropertyColumns;

export const PROPERTY_TYPES: readonly PropertyType[] = ['number', 'string', 'boolean', 'null', 'list'];

/** The number of records that have a value of each type for a property. Objects have no column and are not counted. */
export type TypeCounts = Readonly<Partial<Record<PropertyType, number>>>;

/** A property that has columns. */
export interface PromotedProperty {
  readonly name: string;
  /** Identifies its columns, because its name may contain any character. */
  readonly number: number;
  /** The types of its values. Each has a column. */
  readonly types: readonly PropertyType[];
}

/** The maximum number of columns. Each costs time and memory at every write, even if its property does not occur. */
export const MAX_COLUMNS = 128;

/**
 * The minimum share of records with a promoted property. A rarer property is read from JSON just as well: queries first
 * select the few records that have it.
 */
const MIN_SHARE = 0.01;

/** The properties that every event has in other columns. People rarely have properties of these names. */
export const NOT_PROMOTED: readonly string[] = ['distinct_id', 'time', '$insert_id'];

/** The maximum length of a promoted name. Longer names are not worth writing in each statement. */
const MAX_NAME_LENGTH = 255;

/** Returns whether a property can have columns: SQL cannot contain every string. */
function isPromotable(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && !name.includes('\0');
}

/** Returns how many of `records` records must have a property for it to be promoted. */
export function getPromotionThreshold(records: number): number {
  return Math.max(1, Math.ceil(records * MIN_SHARE));
}

/**
 * Chooses the properties to promote, most frequent first, up to {@link MAX_COLUMNS} columns.
 *
 * @param census the counts of each property
 * @param records the number of records that were counted
 */
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

/** Returns the name of the column for a type of a promoted property. */
export function getPromotedColumnName({ number }: Pick<PromotedProperty, 'number'>, type: PropertyType): string {
  return `p${number}_${type}`;
}

/** Returns the columns of promoted properties by name and type. */
export function getPromotedColumns(promoted: readonly PromotedProperty[]): Record<string, PropertyColumns> {
  return Object.fromEntries(
    promoted.map((property) => [
      property.name,
      Object.fromEntries(property.types.map((type) => [type, getPromotedColumnName(property, type)])),
    ]),
  );
}
