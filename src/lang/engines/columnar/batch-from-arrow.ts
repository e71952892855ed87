import { arrayOf, assertFunction, assertNumber, assertParts, assertString } from '../../../base/guard.ts';
import type { Batch } from '../../plan/batch.ts';
import type { BatchColumn } from '../../plan/batch-column.ts';
import { readArrowColumn } from './arrow-column.ts';
import type { ArrowTable } from './arrow-vector.ts';
import { addSignatures } from './string-signatures.ts';

/**
 * Returns a batch with the rows of an Apache Arrow table, one property per column. Select columns with `table.select`.
 *
 * - Null is undefined, like a missing property.
 * - Wide integers and decimals become the nearest double, dates and timestamps become Unix seconds.
 * - Times of day, durations, binary data, structs, maps and unions are undefined.
 * - A column of doubles without nulls is shared with the table, not copied.
 *
 * @param users The properties of the user of each row, for `user[...]`.
 * @throws {RangeError} if the number of users differs from the number of rows.
 * @throws {TypeError} if the table is not an Arrow table.
 */
export function createBatchFromArrow(table: ArrowTable, users?: ArrowTable): Batch {
  assertTable(table, 'table');
  if (users !== undefined) assertTable(users, 'users');
  if (users && users.numRows !== table.numRows) {
    throw new RangeError(`There are ${table.numRows} rows but ${users.numRows} users. Pass one user for each row.`);
  }
  return { length: table.numRows, properties: readColumns(table), user: users ? readColumns(users) : new Map() };
}

function assertTable(table: unknown, name: string): void {
  const expected = 'an Apache Arrow table';
  assertParts(table, name, { numRows: assertNumber, schema: assertSchema, getChildAt: assertFunction }, expected);
}

function assertSchema(schema: unknown, name: string): void {
  assertParts(schema, name, { fields: arrayOf((field, at) => assertParts(field, at, { name: assertString })) });
}

function readColumns(table: ArrowTable): Map<string, BatchColumn> {
  const columns = new Map<string, BatchColumn>();
  for (const [index, { name }] of table.schema.fields.entries()) {
    const vector = table.getChildAt(index);
    if (vector) columns.set(name, addSignatures(readArrowColumn(vector)));
  }
  return columns;
}
