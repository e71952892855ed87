import type { Checked } from '../check/check.ts';
import type { Properties, Value } from '../value.ts';
import type { Batch } from './batch.ts';
import type { BatchColumn } from './batch-column.ts';

/** An expression as a function of a record and its user; `now` in Unix seconds. */
export type Closure<Answer = Value> = (properties: Properties, user: Properties | undefined, now: number) => Answer;

/** Makes functions of checked expressions; both throw {@link ExpressionTypeError} exactly where the interpreter does. */
export interface Engine {
  /** The expression as a function that answers its value. */
  toClosure(checked: Checked): Closure;
  /** The expression as a filter: judged as an operand of `and` (language, section 5). */
  toCondition(checked: Checked): Closure<boolean>;
}

/**
 * An expression as a function of the selected rows of a batch, in the order of the selection, or of all; `now` in Unix
 * seconds.
 */
export type BatchClosure<Answer> = (batch: Batch, selection: Uint32Array | undefined, now: number) => Answer;

/**
 * Makes functions of checked expressions that evaluate many rows in one call. Both throw {@link ExpressionTypeError} as
 * the interpreter would at the first row that fails, and {@link RangeError} for a selected row that the batch does not
 * have.
 */
export interface BatchEngine {
  /** The expression as a filter: the function returns the rows for which it is true (language, section 5). */
  toSelection(checked: Checked): BatchClosure<Uint32Array<ArrayBuffer>>;
  /** The function returns a column with the value of each row. */
  toAnswers(checked: Checked): BatchClosure<BatchColumn>;
}
