import type { Checked } from '../../check/check.ts';
import { closures } from '../closures/closures.ts';
import { BatchChecker } from './batch-checker.ts';
import { planCondition } from './plan-condition.ts';
import { runInBlocks, type Scope } from './run-in-blocks.ts';
import { bitsFor, listBits } from './subset.ts';

/**
 * Turns a checked tree into a filter of batches: it answers the rows for which the expression is true, in the order in which they
 * are looked at (language, section 5).
 *
 * The function throws as {@link runInBlocks}.
 */
export function toSelection(checked: Checked): (scope: Scope) => Uint32Array<ArrayBuffer> {
  const checker = new BatchChecker(checked);
  return (scope) => {
    const length = scope.selection?.length ?? scope.batch.length;
    const bits = bitsFor(length);
    let size = 0;
    runInBlocks(checker.check(scope.batch), scope, closures.toCondition, (plan) => {
      const condition = planCondition(plan, checked.tree);
      const found = plan.subset();
      return (block, before) => {
        condition.test(block, found);
        found.writeTo(bits, before);
        size += found.size;
      };
    });
    const selected = new Uint32Array(size);
    listBits(bits, length, selected);
    return scope.selection ? selected.map((index) => scope.selection?.[index] as number) : selected;
  };
}
