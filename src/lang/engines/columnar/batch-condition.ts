import type { BatchColumn } from '../../plan/batch-column.ts';
import type { BoundBatch } from './bound-batch.ts';
import { clearAfter, createBits, type Subset } from './subset.ts';

/** Approximate costs in nanoseconds per row. Only their order matters. */
export const COST = {
  /** Reading only some rows of a block. */
  gather: 8,
  loop: 1,
  remainder: 5,
  call: 8,
  row: 60,
};

/** Estimates the cost of a dictionary lookup: low if many rows share an entry, high if each row has its own. */
export function estimateEntryCost({ codes, dictionary }: BatchColumn): number {
  return COST.loop + COST.row * Math.min(1, dictionary.length / (codes?.length ?? 1));
}

/** A compiled condition, tested on one block after another. */
export interface BatchCondition {
  /** The approximate cost in nanoseconds per row. */
  readonly cost: number;
  /** Sets `found` to the rows of `among` for which the condition is true. */
  test(among: Subset, found: Subset): void;
}

/** Creates the condition for the rows where another one is false. */
export function negate({ cost, test }: BatchCondition): BatchCondition {
  return {
    cost,
    test(among, found) {
      test(among, found);
      found.invert(among);
    },
  };
}

/**
 * Creates a condition from a loop that sets one bit for each row that passes, in order. Its last word may have more bits.
 */
export function createLoopCondition(
  bound: BoundBatch,
  cost: number,
  loop: (among: Subset, bits: Int32Array) => void,
): BatchCondition {
  const bits = createBits(bound.limit);
  return {
    cost,
    test(among, found) {
      bits.fill(0);
      loop(among, bits);
      clearAfter(bits, among.size);
      found.pick(among, bits);
    },
  };
}
