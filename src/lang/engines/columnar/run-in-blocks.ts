import type { Checked } from '../../check/check.ts';
import { ExpressionTypeError } from '../../errors.ts';
import { assertRows } from '../../plan/batch.ts';
import { type BatchInput, BoundBatch } from './bound-batch.ts';
import type { RowEvaluator } from './row-evaluator.ts';
import type { Subset } from './subset.ts';

/** Rows are worked on in blocks of as many: what lies between two steps stays in the fastest memory, however large the batch. */
const BLOCK = 4096;

/** Works on all rows of a block, which come after `before` others. */
export type Work = (block: Subset, before: number) => void;

/**
 * Prepares work for a batch and does it, block after block. No row is looked at before there is one, so that nothing
 * fails on an empty batch.
 *
 * @param toEvaluate what evaluates one row. The work does not take rows and operands in order, so a type error that it
 * meets need not
 *   be the first one: the block is evaluated again, row by row, to throw that.
 * @throws {ExpressionTypeError} as a run through the rows in order would; {@link RangeError} for a row that the batch does not have.
 */
export function runInBlocks(
  checked: Checked,
  input: BatchInput,
  toEvaluate: (rows: RowEvaluator) => (position: number) => unknown,
  prepare: (bound: BoundBatch) => Work,
): void {
  const { batch, selection } = input;
  const length = selection?.length ?? batch.length;
  if (length === 0) return;
  if (selection) assertRows(selection, batch);
  const bound = new BoundBatch(checked, input, Math.min(BLOCK, length));
  const block = bound.subset();
  let work: Work | undefined;
  for (let before = 0; before < length; before += BLOCK) {
    const count = Math.min(BLOCK, length - before);
    bound.moveTo(before, count, selection?.subarray(before, before + count));
    block.fill(count);
    try {
      work ??= prepare(bound);
      work(block, before);
    } catch (error) {
      if (error instanceof ExpressionTypeError) {
        const evaluate = toEvaluate(bound.rows);
        for (let position = 0; position < count; position++) evaluate(position);
      }
      throw error;
    }
  }
}
