import { type BinaryName, type Expression, isDatetimeCall, type Logical } from '../ast.ts';
import type { Checked } from '../check/check.ts';
import { canFail, getFacts } from '../check/node-facts.ts';
import { findOverloads, getResultTypes } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, type OverloadId, PREFIX } from '../operators/table.ts';
import { BOOLEAN, LIST, NUMBER, type TypeSet } from '../types.ts';
import { internName, internValue } from '../util/intern.ts';
import { unreachable } from '../util/unreachable.ts';
import type { Scalar } from '../value.ts';
import { mergeEqualities } from './merge-equalities.ts';
import type { Plan, Predicate } from './plan.ts';
import { isOrder, MIRRORED, type Order, toNumberRange } from './range.ts';

/** Settles once what the checker knows of a tree, so that no engine asks for types again. */
export function toPlan(checked: Checked): Plan {
  return planOf(checked.tree, checked);
}

/** The plan of a filter (language, section 5). */
export function toFilterPlan(checked: Checked): Predicate {
  return judged(checked.tree, 'where', checked);
}

function planOf(node: Expression, checked: Checked): Plan {
  const { constant, types } = getFacts(node, checked.facts);
  if (constant) return { kind: 'constant', value: constant.value, types };
  const plan = (child: Expression) => planOf(child, checked);
  switch (node.kind) {
    case 'literal':
      return { kind: 'constant', value: node.value, types };
    case 'property':
      return {
        kind: 'read',
        scope: node.scope === 'user' ? 'user' : 'properties',
        name: internName(node.name),
        types,
      };
    case 'now':
      return { kind: 'time', types: NUMBER };
    case 'call':
      return apply(FUNCTIONS[node.operator], [plan(node.operand)], types);
    case 'prefix':
      return apply(PREFIX[node.operator], [plan(node.operand)], types);
    case 'binary':
      return infix(node.operator, plan(node.left), plan(node.right), types);
    case 'timeComparison': {
      const time = (side: Expression) => (isDatetimeCall(side) ? plan(side) : datetime(plan(side)));
      return infix(node.operator, time(node.left), time(node.right), types);
    }
    case 'membership':
      return oneOf(plan(node.operand), [...new Set(node.items.map((item) => item.value))], false);
    case 'logical':
      return chain(node, checked);
    default:
      return unreachable(node);
  }
}

function apply(row: StrictRow<OverloadId>, operands: readonly Plan[], types: TypeSet): Plan {
  const overloads = findOverloads(
    row,
    operands.map((operand) => operand.types),
  );
  return { kind: 'apply', row, overloads, operands, types };
}

/** What a comparison of times does with a side that is no time yet. */
function datetime(side: Plan): Plan {
  return apply(FUNCTIONS.datetime, [side], getResultTypes(FUNCTIONS.datetime, [side.types]));
}

function infix(operator: BinaryName, left: Plan, right: Plan, types: TypeSet): Plan {
  if (operator === '==' || operator === '!=') {
    if (isScalar(right)) return oneOf(left, [right.value], operator === '!=');
    if (isScalar(left)) return oneOf(right, [left.value], operator === '!=');
  }
  // Text is never between numbers, so that of an order's overloads the one for numbers is left.
  if (isOrder(operator) && isNumber(right)) return between(left, operator, right.value, types);
  if (isOrder(operator) && isNumber(left)) return between(right, MIRRORED[operator], left.value, types);
  return apply(BINARY[operator], [left, right], types);
}

function between(operand: Plan, order: Order, limit: number, types: TypeSet): Plan {
  return { kind: 'between', operand, order, limit, ...toNumberRange(order, limit), types };
}

function isScalar(plan: Plan): plan is Plan & { kind: 'constant'; value: Scalar | undefined } {
  return plan.kind === 'constant' && (plan.types & LIST) === 0;
}

function isNumber(plan: Plan): plan is Plan & { kind: 'constant'; value: number } {
  return plan.kind === 'constant' && plan.types === NUMBER;
}

function oneOf(operand: Plan, constants: readonly (Scalar | undefined)[], negated: boolean): Plan {
  const values = constants.map((value) => (typeof value === 'string' ? internValue(value) : value));
  return { kind: 'oneOf', operand, values, negated, types: BOOLEAN };
}

function chain(node: Logical, checked: Checked): Plan {
  const { decidedBy } = LOGICAL[node.operator];
  const operands = mergeEqualities(
    node.operands.map((operand) => judged(operand, node.operator, checked)),
    decidedBy,
  );
  const [only] = operands;
  if (only !== undefined && operands.length === 1) return only.plan;
  const strictOperands = operands.findLastIndex(({ canFail }) => canFail) + 1;
  return { kind: 'chain', decidedBy, operands, strictOperands, types: BOOLEAN };
}

function judged(node: Expression, operator: Predicate['operator'], checked: Checked): Predicate {
  return { plan: planOf(node, checked), canFail: canFail(getFacts(node, checked.facts)), operator, span: node.span };
}
