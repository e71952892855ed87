import type { Checked } from '../../check/check.ts';
import { ExpressionTypeError } from '../../errors.ts';
import { assertRows } from '../../plan/batch.ts';
import { type BatchInput, BoundBatch } from './bound-batch.ts';
import type { RowCompiler } from './row-compiler.ts';
import type { Subset } from './subset.ts';

/** Rows per block. Intermediate results of a block stay in the processor's cache, however large the batch is. */
const BLOCK_SIZE = 4096;

/** Processes all rows of a block, which starts at row `offset`. */
export type Work = (block: Subset, offset: number) => void;

/**
 * Prepares work for a batch and runs it, one block after another. Nothing is evaluated for an empty batch, so nothing
 * can fail.
 *
 * @param toEvaluate Returns a function that evaluates one row. The work does not process rows and operands in order, so
 *   its type error need not be the first one. The block is evaluated again, row by row, to throw the first.
 * @throws {ExpressionTypeError} the one that evaluating the rows in order would throw.
 * @throws {RangeError} if the selection has a row that the batch does not have.
 */
export function runInBlocks(
  checked: Checked,
  input: BatchInput,
  toEvaluate: (rows: RowCompiler) => (position: number) => unknown,
  prepare: (bound: BoundBatch) => Work,
): void {
  const { batch, selection } = input;
  const length = selection?.length ?? batch.length;
  if (length === 0) return;
  if (selection) assertRows(selection, batch);
  const bound = new BoundBatch(checked, input, Math.min(BLOCK_SIZE, Math.ceil(length / 32) * 32));
  const block = bound.createSubset();
  let work: Work | undefined;
  for (let offset = 0; offset < length; offset += BLOCK_SIZE) {
    const count = Math.min(BLOCK_SIZE, length - offset);
    bound.moveTo(offset, count, selection ? selection.subarray(offset, offset + count) : listLast(offset, count));
    block.fill(count);
    try {
      work ??= prepare(bound);
      work(block, offset);
    } catch (error) {
      if (error instanceof ExpressionTypeError) {
        const evaluate = toEvaluate(bound.rows);
        for (let position = 0; position < count; position++) evaluate(position);
      }
      throw error;
    }
  }
}

/** Returns the rows of a block that is no multiple of 32 rows long: loops read as many, so such a block is copied. */
function listLast(first: number, count: number): Uint32Array | undefined {
  if (count % 32 === 0) return undefined;
  const rows = new Uint32Array(count);
  for (let index = 0; index < count; index++) rows[index] = first + index;
  return rows;
}
