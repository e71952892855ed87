import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { lowerColumn, lowerField } from './column-values.ts';
import type { ColumnType, FileColumn } from './file-database.ts';

/** A property of a table. */
export interface PropertyOfTable {
  readonly name: string;
  readonly channels: SqlChannels;
  /** The SQL that is NULL for records without it. */
  readonly raw: string;
}

export const JSON_TYPE: ColumnType = { name: 'VARCHAR', isJson: true };

/**
 * Returns whether flattening opens values of a type whose names are only in the values: JSON, maps and lists of objects.
 */
export function hasInnerNames({ isJson, name, element, fields = [] }: ColumnType): boolean {
  if (isJson || name === 'MAP' || fields.some(({ type }) => hasInnerNames(type))) return true;
  return element !== undefined && (element.fields !== undefined || hasInnerNames(element));
}

/**
 * Returns the properties of columns, with the fields of structs as properties with dotted names. A column of the table
 * wins over a nested field with the same dotted name.
 */
export function openColumns(columns: readonly FileColumn[], sqlOf: (index: number) => string): PropertyOfTable[] {
  const found = new Map<string, PropertyOfTable>();
  const nested: PropertyOfTable[] = [];
  for (const [index, { name, type }] of columns.entries()) {
    const sql = sqlOf(index);
    if (type.name !== 'STRUCT' || type.fields === undefined) {
      found.set(name, { name, raw: sql, channels: lowerColumn(sql, type) });
      continue;
    }
    const inner = openColumns(type.fields, (at) => lowerField(sql, at));
    nested.push(...inner.map((property) => ({ ...property, name: `${name}.${property.name}` })));
  }
  for (const property of nested) if (!found.has(property.name)) found.set(property.name, property);
  return [...found.values()];
}

/** Returns the JSON pointer of a path (RFC 6901). */
export function toPointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
