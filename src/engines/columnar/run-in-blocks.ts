import type { Checked } from '../../check/check.ts';
import { ExpressionTypeError } from '../../language/errors.ts';
import type { Closure } from '../../plan/engine.ts';
import { assertRows, type Batch } from './batch.ts';
import { BatchPlan } from './batch-plan.ts';
import type { Subset } from './subset.ts';

/** Rows are worked on in blocks of as many: what lies between two steps stays in the fastest memory, however large the batch. */
const BLOCK = 4096;

/** Works on all rows of a block, which come after `before` others. */
export type Work = (block: Subset, before: number) => void;

/** What a query runs on. */
export interface Scope {
  readonly batch: Batch;
  /** The rows to look at; without it all. */
  readonly selection: Uint32Array | undefined;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Plans an expression on a batch and does the work, block after block. No row is looked at before there is one, so that nothing fails
 * on an empty batch.
 *
 * @param toFunction what answers for one row: the order of a plan is not that of the rows and operands, so that a type error that
 *   it meets need not be the first one. The rows that it met it in are gone through again, one by one, to throw that.
 * @throws {ExpressionTypeError} as a run through the rows in order would; {@link RangeError} for a row that the batch does not have.
 */
export function runInBlocks(
  checked: Checked,
  { batch, selection, now }: Scope,
  toFunction: (checked: Checked) => Closure<unknown>,
  prepare: (plan: BatchPlan) => Work,
): void {
  const length = selection?.length ?? batch.length;
  if (length === 0) return;
  if (selection) assertRows(selection, batch);
  const plan = new BatchPlan(checked, batch, now, Math.min(BLOCK, length));
  const block = plan.subset();
  let work: Work | undefined;
  for (let before = 0; before < length; before += BLOCK) {
    const count = Math.min(BLOCK, length - before);
    plan.moveTo(before, count, selection?.subarray(before, before + count));
    block.fill(count);
    try {
      work ??= prepare(plan);
      work(block, before);
    } catch (error) {
      if (error instanceof ExpressionTypeError) {
        const answer = plan.ofPosition(checked.tree, toFunction);
        for (let position = 0; position < count; position++) answer(position);
      }
      throw error;
    }
  }
}
