import { getPlanKey } from '../filters/plan-key.ts';
import type { Plan } from '../plan/plan.ts';
import { combineOutcomes, negateOutcomes, type Outcomes } from './outcomes.ts';

/** How `and`, `or` and `not` combine conditions, which have numbers. */
export type Skeleton =
  | { readonly kind: 'condition'; readonly index: number }
  | { readonly kind: 'not'; readonly operand: Skeleton }
  | { readonly kind: 'chain'; readonly decidedBy: boolean; readonly operands: readonly Skeleton[] };

/** The conditions of filters: what `and`, `or` and `not` combine. Equal ones have one number. */
export class Conditions {
  readonly plans: Plan[] = [];
  private readonly numbers = new Map<string, number>();

  /** Adds the conditions of a plan. Returns how it combines them. */
  add(plan: Plan): Skeleton {
    if (plan.kind === 'chain') {
      return {
        kind: 'chain',
        decidedBy: plan.decidedBy,
        operands: plan.operands.map((operand) => this.add(operand.plan)),
      };
    }
    const [only] = plan.kind === 'apply' && plan.row.name === 'not' ? plan.operands : [];
    if (only !== undefined) return { kind: 'not', operand: this.add(only) };
    const key = getPlanKey(plan);
    const index = this.numbers.get(key) ?? this.plans.push(plan) - 1;
    this.numbers.set(key, index);
    return { kind: 'condition', index };
  }
}

/** Returns the outcomes of a skeleton for those of its conditions. */
export function evaluateSkeleton(skeleton: Skeleton, outcomes: readonly Outcomes[]): Outcomes {
  switch (skeleton.kind) {
    case 'condition':
      return outcomes[skeleton.index] as Outcomes;
    case 'not':
      return negateOutcomes(evaluateSkeleton(skeleton.operand, outcomes));
    case 'chain':
      return combineOutcomes(
        skeleton.decidedBy,
        skeleton.operands.map((operand) => evaluateSkeleton(operand, outcomes)),
      );
  }
}

/** Returns the number of nodes of a skeleton. */
export function countNodes(skeleton: Skeleton): number {
  switch (skeleton.kind) {
    case 'condition':
      return 1;
    case 'not':
      return 1 + countNodes(skeleton.operand);
    case 'chain':
      return skeleton.operands.reduce((sum, operand) => sum + countNodes(operand), 1);
  }
}

/** Lists the numbers of the conditions of a skeleton. */
export function listConditions(skeleton: Skeleton): readonly number[] {
  switch (skeleton.kind) {
    case 'condition':
      return [skeleton.index];
    case 'not':
      return listConditions(skeleton.operand);
    case 'chain':
      return skeleton.operands.flatMap(listConditions);
  }
}
