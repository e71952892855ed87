import { ExpressionTypeError } from '../../../src/api/index.ts';
import { type BatchColumn, getValue } from '../../../src/lang/plan/batch-column.ts';
import type { Value } from '../../../src/lang/value.ts';
import type { Outcome } from '../../engines.ts';

/** Returns the result of a run over a batch, or the type error that it throws. */
export function catchTypeError<Result>(run: () => Result): { value: Result } | Outcome {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof ExpressionTypeError)) throw error;
    return { operator: error.operator, found: error.found, span: error.span };
  }
}

/** Returns the values of a column in order. */
export function readValues(column: BatchColumn, length: number): Value[] {
  return Array.from({ length }, (_, row) => getValue(column, row));
}
