import type { Properties, Value } from '../value.ts';
import { type BatchColumn, getValue } from './batch-column.ts';

/** Returns a row of columns as a record. */
export function readRow(columns: ReadonlyMap<string, BatchColumn>, row: number): Properties {
  const record: Record<string, Value> = {};
  for (const [name, column] of columns) {
    const value = getValue(column, row);
    if (value === undefined) continue;
    if (name === '__proto__') Object.defineProperty(record, name, { value, enumerable: true });
    else record[name] = value;
  }
  return record;
}
