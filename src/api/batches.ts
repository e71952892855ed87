import { columnar } from '../lang/engines/columnar/columnar.ts';
import { countSegments, type Segments } from '../lang/engines/columnar/count-segments.ts';
import type { Batch } from '../lang/plan/batch.ts';
import { assertNumber, assertParts, guardIf, optional } from '../lang/util/guard.ts';
import { assertSourceAndOptions } from './arguments.ts';
import { type About, type CompileOptions, prepare } from './expressions.ts';

/**
 * A function of a batch and, if not all its rows are to be looked at, of the indexes of those that are. The rows are read in that
 * order; without a selection in theirs. It is safe to share. `now` is read once a call.
 */
export interface CompiledBatch<Answer> extends About {
  (batch: Batch, selection?: Uint32Array): Answer;
}

/** As those of a function of records, which needs an engine. */
export type BatchCompileOptions = Omit<CompileOptions, 'engine'>;

const OPTION_NAMES = ['limits', 'now', 'schema'] as const;

/**
 * Compiles a filter of batches: it answers the indexes of the rows for which the expression is true (language, section 5), which can
 * be the selection of the next.
 *
 * @throws as {@link compile}; the function as a filter of records would at the first of the rows that it fails on, and
 *   {@link RangeError} for a selection with a row that the batch does not have.
 */
export function compileBatchWhere(source: string, options: BatchCompileOptions = {}): CompiledBatch<Uint32Array> {
  assertSourceAndOptions(source, options, OPTION_NAMES);
  const { checked, time, about } = prepare(source, 'where', options);
  const select = columnar.toSelection(checked);
  const where = (batch: Batch, selection?: Uint32Array) => {
    assertBatch(batch, selection);
    return select(batch, selection, time?.() ?? 0);
  };
  return Object.freeze(Object.assign(where, about));
}

/**
 * Compiles a segmentation of batches: how many rows there are in each segment, and which they are (language, section 5).
 *
 * @throws as {@link compileBatchWhere}.
 */
export function compileBatchOn(source: string, options: BatchCompileOptions = {}): CompiledBatch<Segments> {
  assertSourceAndOptions(source, options, OPTION_NAMES);
  const { checked, time, about } = prepare(source, 'on', options);
  const answer = columnar.toAnswers(checked);
  const segment = (batch: Batch, selection?: Uint32Array) => {
    assertBatch(batch, selection);
    const column = answer(batch, selection, time?.() ?? 0);
    return countSegments(column, selection?.length ?? batch.length);
  };
  return Object.freeze(Object.assign(segment, about));
}

const assertColumns = guardIf((value) => value instanceof Map, 'a Map of columns');

const assertSelection = optional(guardIf((value) => value instanceof Uint32Array, 'a Uint32Array of rows'));

function assertBatch(batch: unknown, selection: unknown): void {
  const guards = { length: assertNumber, properties: assertColumns, user: assertColumns };
  assertParts(batch, 'batch', guards, 'a batch, as `batchFromRecords` returns it');
  assertSelection(selection, 'selection');
}
