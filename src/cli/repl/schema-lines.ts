import type { PropertySchema, Schema } from '../../check/schema.ts';
import { showValue } from '../../language/show-value.ts';
import { formatProperty } from '../../util/quote-text.ts';
import { renderTable } from '../table.ts';

/** The properties of a schema as a table: how they are written, their types and, where they are known, their values. */
export function renderSchema({ properties = {}, user = {} }: Schema): string[] {
  const rows = [...rowsOf('properties', properties), ...rowsOf('user', user)];
  const columns = ['property', 'types', 'values'].map((title) => ({ title, align: 'left' }) as const);
  return rows.length === 0 ? ['Nothing is known about properties.'] : renderTable(columns, rows);
}

function rowsOf(scope: string, part: Readonly<Record<string, PropertySchema>>): string[][] {
  return Object.entries(part).map(([name, { types, values = [] }]) => {
    return [formatProperty(scope, name), types.join(', '), values.map(showValue).join(', ')];
  });
}
