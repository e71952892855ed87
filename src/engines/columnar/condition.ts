import type { Subset } from './subset.ts';

/** A condition, ready to be tested block after block. */
export interface BatchCondition {
  /** About how many nanoseconds a row takes. */
  readonly cost: number;
  /** Makes `found` those of the rows for which the condition is true. */
  test(among: Subset, found: Subset): void;
}
