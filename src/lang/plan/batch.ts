import type { PropertyRead } from '../check/check.ts';
import type { BatchColumn } from './batch-column.ts';

/**
 * Rows in columns: the properties of events and, for `user[...]`, of their users. A property without a column is
 * undefined in every row.
 */
export interface Batch {
  /** The number of rows. */
  readonly length: number;
  readonly properties: ReadonlyMap<string, BatchColumn>;
  readonly user: ReadonlyMap<string, BatchColumn>;
}

/** Returns the column of a property, undefined if no row has a value for it. */
export function getColumn(batch: Batch, { scope, name }: PropertyRead): BatchColumn | undefined {
  const column = batch[scope].get(name);
  return column?.numbers || column?.codes ? column : undefined;
}

/** @throws {RangeError} if the selection has a row that the batch does not have. */
export function assertRows(selection: Uint32Array, { length }: Batch): void {
  for (let index = 0; index < selection.length; index++) {
    const row = selection[index] as number;
    if (row >= length) throw new RangeError(`The selection has row ${row}, but the batch only ${length} rows`);
  }
}
