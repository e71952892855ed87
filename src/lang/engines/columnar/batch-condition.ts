import type { BatchColumn } from '../../plan/batch-column.ts';
import type { Subset } from './subset.ts';

/** About how many nanoseconds a row takes: nothing matters but which is more. */
export const COST = {
  /** Reading some of a block's rows, not all. */
  gather: 5,
  loop: 2,
  remainder: 5,
  call: 8,
  row: 60,
};

/** What a look-up costs: next to nothing where many rows share an entry, much where each row has its own. */
export function estimateEntryCost({ codes, dictionary }: BatchColumn): number {
  return COST.loop + COST.row * Math.min(1, dictionary.length / (codes?.length ?? 1));
}

/** A condition, ready to be tested block after block. */
export interface BatchCondition {
  /** About how many nanoseconds a row takes. */
  readonly cost: number;
  /** Makes `found` those of the rows for which the condition is true. */
  test(among: Subset, found: Subset): void;
}
