import type { Scalar } from '../language/value.ts';
import type { Judged, OneOf, Plan, Read } from './plan.ts';

type Gatherable = OneOf & { readonly operand: Read & Plan };

/**
 * Gathers the equalities of one property into one operand, where the first of them stands: `x == "a" or x == "b"` asks whether x
 * is in a set, `x != "a" and x != "b"` whether it is not. None of them can fail, so that their place does not matter.
 */
export function gather(operands: readonly Judged[], decidedBy: boolean): readonly Judged[] {
  const values = new Map<string, Set<Scalar | undefined>>();
  const first = new Map<Judged, Set<Scalar | undefined>>();
  const kept = operands.filter((operand) => {
    const { plan } = operand;
    if (!isGatherable(plan, decidedBy)) return true;
    const key = `${plan.operand.scope} ${plan.operand.name}`;
    const gathered = values.get(key);
    if (gathered === undefined) {
      const own = new Set(plan.values);
      values.set(key, own);
      first.set(operand, own);
      return true;
    }
    for (const value of plan.values) gathered.add(value);
    return false;
  });
  if (kept.length === operands.length) return operands;
  return kept.map((operand) => {
    const gathered = first.get(operand);
    return gathered === undefined ? operand : { ...operand, plan: { ...operand.plan, values: [...gathered] } as Plan };
  });
}

function isGatherable(plan: Plan, decidedBy: boolean): plan is Gatherable & Plan {
  return plan.kind === 'oneOf' && plan.negated !== decidedBy && plan.operand.kind === 'read';
}
