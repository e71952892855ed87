import { columnar } from '../lang/engines/columnar/columnar.ts';
import { countSegments, type Segments } from '../lang/engines/columnar/count-segments.ts';
import type { Batch } from '../lang/plan/batch.ts';
import { assertBatch, assertSourceAndOptions } from './arguments.ts';
import { type About, type CompileOptions, prepare } from './expressions.ts';

/**
 * A compiled expression that takes a batch and, optionally, the indexes of the rows to read. Rows are read in the order
 * of the selection, or in batch order without one. The function is safe to share. `now` is read once per call.
 */
export interface CompiledBatch<Result> extends About {
  (batch: Batch, selection?: Uint32Array): Result;
}

/** The {@link CompileOptions} without `engine`: batches always run on the columnar engine. */
export type BatchCompileOptions = Omit<CompileOptions, 'engine'>;

const OPTION_NAMES = ['limits', 'now', 'schema', 'timeZone'] as const;

/**
 * Compiles a filter for batches. The returned function returns the indexes of the rows for which the expression is true
 * (language, section 5). These can be the selection of the next call.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 * @throws {ExpressionCheckError} if the expression fails on every record.
 *   The returned function throws {@link ExpressionTypeError} for the first row that the filter fails on, and
 *   {@link RangeError} if the selection contains a row that the batch does not have.
 *
 * @example
 * const isPro = compileBatchWhere('properties["plan"] == "pro"');
 * const batch = createBatchFromRecords([{ properties: { plan: 'pro' } }, { properties: { plan: 'free' } }]);
 * isPro(batch); // Uint32Array [0]
 */
export function compileBatchWhere(source: string, options: BatchCompileOptions = {}): CompiledBatch<Uint32Array> {
  assertSourceAndOptions(source, options, OPTION_NAMES);
  const { checked, time, about } = prepare(compileBatchWhere, source, 'where', options);
  const select = columnar.toSelection(checked);
  const where = (batch: Batch, selection?: Uint32Array) => {
    assertBatch(batch, selection);
    return select(batch, selection, time?.() ?? 0);
  };
  return Object.freeze(Object.assign(where, about));
}

/**
 * Compiles a segmentation for batches. The returned function returns the segments with the number of rows in each
 * (language, section 5).
 *
 * @throws as {@link compileBatchWhere}.
 */
export function compileBatchOn(source: string, options: BatchCompileOptions = {}): CompiledBatch<Segments> {
  assertSourceAndOptions(source, options, OPTION_NAMES);
  const { checked, time, about } = prepare(compileBatchOn, source, 'on', options);
  const evaluate = columnar.toColumn(checked);
  const segment = (batch: Batch, selection?: Uint32Array) => {
    assertBatch(batch, selection);
    const column = evaluate(batch, selection, time?.() ?? 0);
    return countSegments(column, selection?.length ?? batch.length);
  };
  return Object.freeze(Object.assign(segment, about));
}
