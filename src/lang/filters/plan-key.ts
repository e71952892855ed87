import { unreachable } from '../../base/unreachable.ts';
import type { Plan } from '../plan/plan.ts';
import type { Value } from '../value.ts';

/**
 * Returns a string that two plans share only if, on every record, they have the same value or both raise a type error.
 * The order of operands makes no difference to it where it makes none to the value.
 */
export function getPlanKey(plan: Plan): string {
  // Joined at once: a string that is added up keeps all of its parts in memory.
  return [...listParts(plan)].join('');
}

function* listParts(plan: Plan): Generator<string> {
  switch (plan.kind) {
    case 'constant':
      yield formatValue(plan.value);
      break;
    case 'read':
      yield plan.scope;
      yield JSON.stringify(plan.name);
      break;
    case 'time':
      yield 'now';
      break;
    case 'apply':
      yield plan.row.fixity;
      yield plan.row.name;
      yield* listOperands(plan.operands.map(getPlanKey), plan.row.name === '==' || plan.row.name === '!=');
      break;
    case 'oneOf':
      yield* listParts(plan.operand);
      yield plan.negated ? '!=' : '==';
      yield plan.values.map(formatValue).sort().join();
      yield ';';
      break;
    case 'between':
      yield* listParts(plan.operand);
      yield `[${plan.low}~${plan.high}]`;
      break;
    case 'chain':
      yield String(plan.decidedBy);
      yield* listOperands([...new Set(plan.operands.map((operand) => getPlanKey(operand.plan)))], true);
      break;
    default:
      unreachable(plan);
  }
}

function* listOperands(keys: readonly string[], areSorted: boolean): Generator<string> {
  yield '(';
  for (const key of areSorted ? keys.toSorted() : keys) {
    yield key;
    yield ',';
  }
  yield ')';
}

function formatValue(value: Value): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}
