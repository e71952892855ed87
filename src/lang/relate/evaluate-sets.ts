import { unreachable } from '../../base/unreachable.ts';
import type { Overload } from '../operators/row.ts';
import type { OverloadId } from '../operators/table.ts';
import type { Apply, Plan } from '../plan/plan.ts';
import { ANY, isSubset, NUMBER } from '../types.ts';
import type { Value } from '../value.ts';
import { combineOutcomes, getOutcomes, IS_ERROR, IS_FALSE, IS_TRUE, type Outcomes } from './outcomes.ts';
import { isAmong, TRANSFERS } from './transfers.ts';
import {
  EMPTY_SET,
  FAILS,
  FAILURE,
  getSingle,
  joinSets,
  restrictSet,
  toBooleans,
  toTruth,
  toValueSet,
  UNDEFINED_SET,
  type ValueSet,
} from './value-set.ts';

/** Returns the set of a part of a plan that is known: a property, `now`, or a part that counts as one. */
export type Known = (plan: Plan) => ValueSet | undefined;

/**
 * Evaluates a plan on sets: returns a set with its value for each record whose parts are in the known sets. If these
 * have one value each, the result has one too: that of the interpreter.
 */
export function evaluateSets(plan: Plan, known: Known): ValueSet {
  const found = known(plan);
  if (found !== undefined) return found;
  switch (plan.kind) {
    case 'constant':
      return toValueSet(plan.value);
    case 'read':
    case 'time':
      throw new Error('Missing set');
    case 'apply':
      return applyToSets(
        plan,
        plan.operands.map((operand) => evaluateSets(operand, known)),
      );
    case 'oneOf':
      return mapTypes(evaluateSets(plan.operand, known), (set) => {
        const among = isAmong(set, plan.values);
        return plan.negated ? TRANSFERS['not.boolean'](among, among) : among;
      });
    case 'between':
      return mapTypes(evaluateSets(plan.operand, known), ({ types, low, high }) => {
        if (types !== NUMBER) return UNDEFINED_SET;
        if (low >= plan.low && high <= plan.high) return toTruth(true);
        return toTruth(high < plan.low || low > plan.high ? false : undefined);
      });
    case 'chain': {
      const operands = plan.operands.map((operand) => getOutcomes(evaluateSets(operand.plan, known)));
      return toChainSet(combineOutcomes(plan.decidedBy, operands));
    }
    default:
      return unreachable(plan);
  }
}

/** Returns the set of `and` or `or`, which is a boolean or fails. */
function toChainSet(outcomes: Outcomes): ValueSet {
  const set = toBooleans(outcomes & (IS_TRUE | IS_FALSE));
  return (outcomes & IS_ERROR) === 0 ? set : joinSets(set, FAILURE);
}

/** Applies a function to the part of each type, and joins the results. */
function mapTypes(set: ValueSet, map: (part: ValueSet) => ValueSet): ValueSet {
  let result = EMPTY_SET;
  for (let rest = set.types; rest !== 0; rest &= rest - 1) {
    const type = rest & -rest;
    result = joinSets(result, type === FAILS ? FAILURE : map(type === set.types ? set : restrictSet(set, type)));
  }
  return result;
}

/** A strict operator fails if an operand does. */
function applyToSets({ row }: Apply, [left = UNDEFINED_SET, right]: readonly ValueSet[]): ValueSet {
  const overloads = row.overloads as readonly Overload<OverloadId>[];
  if (right === undefined) return mapTypes(left, (part) => applyToTypes(overloads, part, undefined));
  return mapTypes(left, (one) => mapTypes(right, (other) => applyToTypes(overloads, one, other)));
}

function applyToTypes(
  overloads: readonly Overload<OverloadId>[],
  left: ValueSet,
  right: ValueSet | undefined,
): ValueSet {
  const overload = overloads.find(({ operands: [first = ANY, second = ANY] }) => {
    return isSubset(left.types, first) && isSubset(right?.types ?? 0, second);
  });
  if (overload === undefined) return UNDEFINED_SET;
  const one = getSingle(left);
  const other = right === undefined ? undefined : getSingle(right);
  if (one === undefined || (right !== undefined && other === undefined))
    return TRANSFERS[overload.id](left, right ?? left);
  const evaluate = overload.evaluate as (...operands: readonly Value[]) => Value;
  return toValueSet(other === undefined ? evaluate(one.value) : evaluate(one.value, other.value));
}
