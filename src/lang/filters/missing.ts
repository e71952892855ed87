import { compilePredicate } from '../engines/closures/closures.ts';
import { getResultTypes } from '../operators/overloads.ts';
import { getOperands, type Plan, type Predicate } from '../plan/plan.ts';
import { BOOLEAN, NUMBER, type TypeSet, UNDEFINED } from '../types.ts';
import { getType, type Properties } from '../value.ts';

const NOTHING: Properties = Object.freeze({});

/** Returns whether a predicate can be true, or raise a type error, for a record without the properties that it reads. */
export function canHoldWithout(predicate: Predicate): boolean {
  const { plan } = predicate;
  if (readsTime(plan)) return (getTypesWithout(plan) & ~UNDEFINED) !== 0;
  try {
    return compilePredicate(predicate, '')(NOTHING, undefined, 0);
  } catch {
    return true;
  }
}

function readsTime(plan: Plan): boolean {
  return plan.kind === 'time' || getOperands(plan).some(readsTime);
}

/** Returns the types that a value can have at any time for a record without properties. */
function getTypesWithout(plan: Plan): TypeSet {
  switch (plan.kind) {
    case 'constant':
      return getType(plan.value);
    case 'read':
      return UNDEFINED;
    case 'time':
      return NUMBER;
    case 'apply':
      return getResultTypes(plan.row, plan.operands.map(getTypesWithout));
    case 'between':
      return (getTypesWithout(plan.operand) & NUMBER) === 0 ? UNDEFINED : BOOLEAN | UNDEFINED;
    default:
      return BOOLEAN;
  }
}
