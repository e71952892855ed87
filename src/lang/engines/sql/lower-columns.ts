import type { Channels } from './channels.ts';
import type { Dialect } from './dialect.ts';
import { raw, type Sql } from './sql.ts';
import type { PropertyColumns, PropertySource } from './sql-source.ts';

/** Returns the columns of a property, if it has its own. */
export function getPropertyColumns(source: PropertySource | undefined, name: string): PropertyColumns | undefined {
  return source?.columns !== undefined && Object.hasOwn(source.columns, name) ? source.columns[name] : undefined;
}

/** Lowers the reading of a property, from its own columns or from the column with all other properties. */
export function lowerColumns(dialect: Dialect, source: PropertySource | undefined, name: string): Channels {
  const columns = getPropertyColumns(source, name);
  if (columns !== undefined) return createColumnChannels(dialect, columns);
  const rest = source?.rest;
  if (rest === undefined || rest.kind === 'elsewhere') return {};
  return dialect.readProperty(raw(dialect.quoteName(rest.column)), rest, name);
}

function createColumnChannels(dialect: Dialect, columns: PropertyColumns): Channels {
  const quoteColumn = (name: string): Sql => raw(dialect.quoteName(name));
  const { number, string, boolean, null: isNull, list } = columns;
  return {
    ...(number !== undefined && { number: { sql: quoteColumn(number), isFinite: false } }),
    ...(string !== undefined && { string: { sql: quoteColumn(string) } }),
    ...(boolean !== undefined && { boolean: { sql: quoteColumn(boolean) } }),
    ...(isNull !== undefined && { null: dialect.isTrue(quoteColumn(isNull)) }),
    ...(list !== undefined && { list: dialect.readList(quoteColumn(list)) }),
  };
}
