import type { Scalar } from '../value.ts';
import type { OneOf, Plan, Predicate, Read } from './plan.ts';

type Mergeable = OneOf & { readonly operand: Read & Plan };

/**
 * Merges the equalities of each property into the first of them: `x == "a" or x == "b"` becomes `x in ["a", "b"]`, and
 * `x != "a" and x != "b"` becomes its negation. None of them can fail, so their order does not matter.
 */
export function mergeEqualities(operands: readonly Predicate[], decidedBy: boolean): readonly Predicate[] {
  if (operands.filter(({ plan }) => isMergeable(plan, decidedBy)).length < 2) return operands;
  const merged = new Map<string, Set<Scalar | undefined>>();
  const remaining = operands.filter(({ plan }) => {
    if (!isMergeable(plan, decidedBy)) return true;
    const values = merged.get(getKey(plan));
    if (values === undefined) merged.set(getKey(plan), new Set(plan.values));
    else for (const value of plan.values) values.add(value);
    return values === undefined;
  });
  return remaining.map((operand) => {
    const { plan } = operand;
    const values = isMergeable(plan, decidedBy) ? [...(merged.get(getKey(plan)) ?? [])] : [];
    return values.length === 0 ? operand : { ...operand, plan: { ...plan, values } as Plan };
  });
}

function getKey({ operand: { scope, name } }: Mergeable): string {
  return `${scope} ${name}`;
}

function isMergeable(plan: Plan, decidedBy: boolean): plan is Mergeable & Plan {
  return plan.kind === 'oneOf' && plan.negated !== decidedBy && plan.operand.kind === 'read';
}
