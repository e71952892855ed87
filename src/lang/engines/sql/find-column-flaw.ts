import type { Dialect } from './dialect.ts';
import { getPropertyColumns } from './lower-columns.ts';
import { SHARED_PREFIX } from './render.ts';
import type { PropertyColumns, PropertySource, SqlSource } from './sql-source.ts';

/** Returns why the database would read other columns than those of a property, as the end of a sentence. */
export type ColumnFlaw = (place: PropertySource, name: string) => string | undefined;

/** Finds columns of a source that the database confuses with another column, which it would read without an error. */
export function findColumnFlaw(dialect: Dialect, source: SqlSource): ColumnFlaw {
  const spellings = new Map<string, string>();
  const clashes = new Map<string, string>();
  for (const column of [source.properties, source.user ?? {}].flatMap(getColumnNames)) {
    const key = dialect.getColumnKey(column);
    if (key.startsWith(SHARED_PREFIX)) {
      const reason = `the column name ${JSON.stringify(column)} is reserved for the query`;
      return () => reason;
    }
    const first = spellings.get(key) ?? column;
    spellings.set(key, first);
    if (first !== column)
      clashes.set(key, `${JSON.stringify(first)} and ${JSON.stringify(column)} are the same column there`);
  }
  return (place, name) => {
    const columns = getPropertyColumns(place, name);
    const read = columns === undefined ? getRestColumns(place) : getNames(columns);
    return read.map((column) => clashes.get(dialect.getColumnKey(column))).find((reason) => reason !== undefined);
  };
}

function getColumnNames(place: PropertySource): string[] {
  return [...Object.values(place.columns ?? {}).flatMap(getNames), ...getRestColumns(place)];
}

function getNames(columns: PropertyColumns): string[] {
  return Object.values(columns).filter((name) => name !== undefined);
}

function getRestColumns({ rest }: PropertySource): string[] {
  return rest === undefined || rest.kind === 'elsewhere' ? [] : [rest.column];
}
