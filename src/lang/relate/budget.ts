import { getOperands, type Plan } from '../plan/plan.ts';

/** A number of steps that may be taken. Evaluating one operator on one set of values is a step. */
export class Budget {
  constructor(private left: number) {}

  /** Whether no steps are left. */
  get isSpent(): boolean {
    return this.left < 0;
  }

  /** Takes steps. Returns false, from then on, if there are not as many. */
  spend(steps: number): boolean {
    this.left -= steps;
    return this.left >= 0;
  }
}

/** As many values of a list are searched in a step. */
const VALUES_PER_STEP = 100;

/** Returns the steps that evaluating plans takes. */
export function weighPlans(plans: readonly Plan[]): number {
  return plans.reduce((sum, plan) => {
    const values = plan.kind === 'oneOf' ? plan.values.length : 0;
    return sum + 1 + values / VALUES_PER_STEP + weighPlans(getOperands(plan));
  }, 0);
}
