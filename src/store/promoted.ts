import type { PropertyColumns } from '../engines/sql/sql-source.ts';

/** A type of values that has a column of its own. */
export type PropertyType = keyof PropertyColumns;

/** How many values of each type a property has. */
export type TypeCounts = Readonly<Partial<Record<PropertyType, number>>>;

const MOST_COLUMNS = 128;

/** The properties to promote: the most frequent, as many as fit into the columns that a table should have. */
export function choosePromoted(census: ReadonlyMap<string, TypeCounts>): string[] {
  const counted = [...census].map(([name, counts]) => {
    const values = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { name, values, columns: Object.keys(counts).length };
  });
  const chosen: string[] = [];
  let columns = 0;
  for (const property of counted.sort((left, right) => right.values - left.values)) {
    columns += property.columns;
    if (columns > MOST_COLUMNS) break;
    chosen.push(property.name);
  }
  return chosen;
}
