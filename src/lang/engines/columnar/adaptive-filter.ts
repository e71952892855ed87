import type { BatchCondition } from './batch-condition.ts';
import { COST } from './batch-condition.ts';
import type { Subset } from './subset.ts';

/** An operand of a chain, and how it has fared so far. */
export class AdaptiveFilter {
  private judged = 2;
  private left = 1;

  constructor(readonly condition: BatchCondition) {}

  /** The share of rows that it leaves undecided. */
  get rate(): number {
    return this.left / this.judged;
  }

  /** What it costs to decide a row: the least goes first. */
  get price(): number {
    return this.condition.cost / (1 - this.rate);
  }

  /** Whether picking the rows that are left costs less than testing those that are not. */
  gainsBy(looked: Subset, undecided: Subset): boolean {
    return (looked.size - undecided.size) * this.condition.cost > undecided.size * COST.gather;
  }

  learn({ size }: Subset, left: number): void {
    this.judged += size;
    this.left += left;
  }
}
