import type { Dialect } from './dialect.ts';
import { getPropertyColumns } from './lower-columns.ts';
import { SHARED_PREFIX } from './render.ts';
import type { PropertyColumns, PropertySource, SqlSource } from './sql-source.ts';

/** Says why the columns that hold a property would not be the ones that a database reads, as the end of a sentence. */
export type ColumnFlaw = (place: PropertySource, name: string) => string | undefined;

/** Finds the columns of a source that a database takes for another one: it would read that one without an error. */
export function findColumnFlaw(dialect: Dialect, source: SqlSource): ColumnFlaw {
  const spellings = new Map<string, string>();
  const clashes = new Map<string, string>();
  for (const column of [source.properties, source.user ?? {}].flatMap(columnNames)) {
    const key = dialect.columnKey(column);
    if (key.startsWith(SHARED_PREFIX)) {
      const reason = `names like ${JSON.stringify(column)} are kept for columns of the query itself`;
      return () => reason;
    }
    const first = spellings.get(key) ?? column;
    spellings.set(key, first);
    if (first !== column)
      clashes.set(key, `${JSON.stringify(first)} and ${JSON.stringify(column)} are one column there`);
  }
  return (place, name) => {
    const own = getPropertyColumns(place, name);
    const read = own === undefined ? restOf(place) : namesIn(own);
    return read.map((column) => clashes.get(dialect.columnKey(column))).find((reason) => reason !== undefined);
  };
}

function columnNames(place: PropertySource): string[] {
  return [...Object.values(place.columns ?? {}).flatMap(namesIn), ...restOf(place)];
}

function namesIn(columns: PropertyColumns): string[] {
  return Object.values(columns).filter((name) => name !== undefined);
}

function restOf({ rest }: PropertySource): string[] {
  return rest === undefined || rest.kind === 'elsewhere' ? [] : [rest.column];
}
