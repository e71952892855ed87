import type { PropertyRead } from '../check/check.ts';
import type { BatchColumn } from './batch-column.ts';

/** Rows as columns: of the events and, for `user[...]`, of the user of each. A column that there is not is undefined in every row. */
export interface Batch {
  /** How many rows there are. */
  readonly length: number;
  readonly properties: ReadonlyMap<string, BatchColumn>;
  readonly user: ReadonlyMap<string, BatchColumn>;
}

/** The column of a property, if some row has a value for it. */
export function getColumn(batch: Batch, { scope, name }: PropertyRead): BatchColumn | undefined {
  const column = batch[scope].get(name);
  return column?.numbers || column?.codes ? column : undefined;
}

/**
 * Makes sure that a batch has the rows of a selection.
 *
 * @throws {RangeError} for the first row that it has not.
 */
export function assertRows(selection: Uint32Array, { length }: Batch): void {
  const beyond = selection.find((row) => row >= length);
  if (beyond !== undefined) throw new RangeError(`The selection has row ${beyond}, but the batch only ${length} rows`);
}
