import type { Checked } from '../check/check.ts';
import type { Properties, Value } from '../value.ts';
import type { Batch } from './batch.ts';
import type { BatchColumn } from './batch-column.ts';

/** A compiled expression: a function of a record, its user and the time of the query in Unix seconds. */
export type Closure<Result = Value> = (properties: Properties, user: Properties | undefined, now: number) => Result;

/** Compiles checked expressions. Compiled functions throw {@link ExpressionTypeError} wherever the interpreter does. */
export interface Engine {
  /** Compiles an expression to a function that returns its value. */
  toClosure(checked: Checked): Closure;
  /** Compiles a filter to a function that returns whether a record is selected (language, section 5). */
  toCondition(checked: Checked): Closure<boolean>;
}

/**
 * A compiled expression over the selected rows of a batch, in the order of the selection, or over all rows. `now` is in
 * Unix seconds.
 */
export type BatchClosure<Result> = (batch: Batch, selection: Uint32Array | undefined, now: number) => Result;

/**
 * Compiles checked expressions to functions over many rows. At the first row that fails, they throw the
 * {@link ExpressionTypeError} of the interpreter. They throw {@link RangeError} for a selected row that the batch does
 * not have.
 */
export interface BatchEngine {
  /** Compiles a filter to a function that returns the rows for which it is true (language, section 5). */
  toSelection(checked: Checked): BatchClosure<Uint32Array<ArrayBuffer>>;
  /** Compiles an expression to a function that returns a column with the value of each row. */
  toColumn(checked: Checked): BatchClosure<BatchColumn>;
}
