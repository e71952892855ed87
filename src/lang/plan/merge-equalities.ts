import type { Scalar } from '../value.ts';
import type { OneOf, Plan, Predicate, Read } from './plan.ts';

type Gatherable = OneOf & { readonly operand: Read & Plan };

/**
 * Gathers the equalities of one property into one operand, where the first of them stands: `x == "a" or x == "b"` asks whether x
 * is in a set, `x != "a" and x != "b"` whether it is not. None of them can fail, so that their place does not matter.
 */
export function mergeEqualities(operands: readonly Predicate[], decidedBy: boolean): readonly Predicate[] {
  if (operands.filter(({ plan }) => isGatherable(plan, decidedBy)).length < 2) return operands;
  const gathered = new Map<string, Set<Scalar | undefined>>();
  const first = operands.filter(({ plan }) => {
    if (!isGatherable(plan, decidedBy)) return true;
    const values = gathered.get(keyOf(plan));
    if (values === undefined) gathered.set(keyOf(plan), new Set(plan.values));
    else for (const value of plan.values) values.add(value);
    return values === undefined;
  });
  return first.map((operand) => {
    const { plan } = operand;
    const values = isGatherable(plan, decidedBy) ? [...(gathered.get(keyOf(plan)) ?? [])] : [];
    return values.length === 0 ? operand : { ...operand, plan: { ...plan, values } as Plan };
  });
}

function keyOf({ operand: { scope, name } }: Gatherable): string {
  return `${scope} ${name}`;
}

function isGatherable(plan: Plan, decidedBy: boolean): plan is Gatherable & Plan {
  return plan.kind === 'oneOf' && plan.negated !== decidedBy && plan.operand.kind === 'read';
}
