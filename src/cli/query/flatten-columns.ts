import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import { lowerColumn, lowerField, lowerValueText } from './column-values.ts';
import type { ColumnType, FileColumn } from './file-database.ts';

/** More dots in a name than this are read as one path, because each dot doubles the number of paths. */
const MAX_DOTS = 4;

/** A property of a table. */
export interface PropertyOfTable {
  readonly name: string;
  readonly channels: SqlChannels;
  /** The SQL that is NULL for records without it. */
  readonly raw: string;
}

export const JSON_TYPE: ColumnType = { name: 'VARCHAR', isJson: true };

/**
 * Returns the properties of columns, with the fields of structs as properties with dotted names, and the named ones
 * inside JSON and maps. A column of the table wins over a nested field with the same dotted name.
 */
export function openColumns(
  columns: readonly FileColumn[],
  sqlOf: (index: number) => string,
  names: readonly string[],
): PropertyOfTable[] {
  const found = new Map<string, PropertyOfTable>();
  const nested: PropertyOfTable[] = [];
  for (const [index, { name, type }] of columns.entries()) {
    const isOpened = type.name === 'STRUCT' && type.fields !== undefined;
    if (!isOpened) found.set(name, { name, raw: sqlOf(index), channels: lowerColumn(sqlOf(index), type) });
    nested.push(...openColumn(`${name}.`, sqlOf(index), type, names));
  }
  for (const property of nested) if (!found.has(property.name)) found.set(property.name, property);
  return [...found.values()];
}

function openColumn(prefix: string, sql: string, type: ColumnType, names: readonly string[]): PropertyOfTable[] {
  if (type.name === 'STRUCT' && type.fields !== undefined) {
    const inner = openColumns(
      type.fields,
      (index) => lowerField(sql, index),
      names.flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : [])),
    );
    return inner.map((property) => ({ ...property, name: prefix + property.name }));
  }
  if (!type.isJson && type.name !== 'MAP') return [];
  const inside = names.flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
  return listPaths(sql, type, inside).map((property) => ({ ...property, name: prefix + property.name }));
}

/** Returns the named properties with dots inside the JSON or map that holds all properties. */
export function openJson(sql: string, type: ColumnType, names: readonly string[]): PropertyOfTable[] {
  return listPaths(
    sql,
    type,
    names.filter((name) => name.includes('.')),
  );
}

function listPaths(sql: string, type: ColumnType, names: readonly string[]): PropertyOfTable[] {
  const json = type.isJson ? sql : `CAST(${lowerValueText(sql, type)} AS JSON)`;
  return names.map((name) => {
    const values = splitName(name).map((path) => {
      const value = `json_extract(${json}, ${quoteSqlString(toPointer(path))})`;
      return `CASE WHEN json_type(${value}) <> 'OBJECT' THEN ${value} END`;
    });
    const raw = `coalesce(${['NULL', ...values].join(', ')})`;
    return { name, raw, channels: lowerColumn(raw, JSON_TYPE) };
  });
}

/** Returns the paths that flattening joins to a name, the name itself first: keys can contain dots. */
function splitName(name: string): string[][] {
  const parts = name.split('.');
  if (parts.length - 1 > MAX_DOTS) return [[name], parts];
  let paths = [[parts[0] as string]];
  for (const part of parts.slice(1)) {
    const joined = paths.map((path) => [...path.slice(0, -1), `${path.at(-1)}.${part}`]);
    paths = [...joined, ...paths.map((path) => [...path, part])];
  }
  return paths;
}

/** Returns the JSON pointer of a path (RFC 6901). */
export function toPointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
