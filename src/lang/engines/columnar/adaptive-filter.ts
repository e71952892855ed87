import type { BatchCondition } from './batch-condition.ts';
import { COST } from './batch-condition.ts';
import type { Subset } from './subset.ts';

/** An operand of `and` or `or`, with statistics of how many rows it decides. */
export class AdaptiveFilter {
  private testedRows = 2;
  private undecidedRows = 1;

  constructor(readonly condition: BatchCondition) {}

  /** The share of rows that it leaves undecided, from 0 to 1. */
  get rate(): number {
    return this.undecidedRows / this.testedRows;
  }

  /** The cost of deciding one row. The operand with the lowest price runs first. */
  get price(): number {
    return this.condition.cost / (1 - this.rate);
  }

  /** Returns whether gathering the undecided rows costs less than testing the decided rows again. */
  shouldNarrow(tested: Subset, undecided: Subset): boolean {
    return (tested.size - undecided.size) * this.condition.cost > undecided.size * COST.gather;
  }

  /** Adds the result of one block: the number of tested rows that are still undecided. */
  learn({ size }: Subset, undecidedRows: number): void {
    this.testedRows += size;
    this.undecidedRows += undecidedRows;
  }
}
