import { unreachable } from '../../base/unreachable.ts';
import { type BinaryName, type Expression, isDatetimeCall, type Logical } from '../ast.ts';
import type { Checked } from '../check/check.ts';
import { canFail, getFacts } from '../check/node-facts.ts';
import { internName, internValue } from '../intern.ts';
import { findOverloads, getResultTypes } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, LOGICAL, type OverloadId, PREFIX } from '../operators/table.ts';
import type { TimeZone } from '../operators/time-zone.ts';
import { getFunctions } from '../operators/zoned-functions.ts';
import { BOOLEAN, LIST, NUMBER, type TypeSet } from '../types.ts';
import type { Scalar } from '../value.ts';
import { mergeEqualities } from './merge-equalities.ts';
import type { Plan, Predicate } from './plan.ts';
import { isOrder, MIRRORED, type Order, toNumberRange } from './range.ts';

/** Plans an expression, with the facts of the checker resolved once for all engines. */
export function toPlan(checked: Checked): Plan {
  return planNode(checked.tree, checked);
}

/** Plans a filter (language, section 5). */
export function toFilterPlan(checked: Checked): Predicate {
  return planPredicate(checked.tree, 'where', checked);
}

function planNode(node: Expression, checked: Checked): Plan {
  const { constant, types } = getFacts(node, checked.facts);
  if (constant) return { kind: 'constant', value: constant.value, types };
  const plan = (child: Expression) => planNode(child, checked);
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
      return planApply(getFunctions(checked.timeZone)[node.operator], [plan(node.operand)], types);
    case 'prefix':
      return planApply(PREFIX[node.operator], [plan(node.operand)], types);
    case 'binary':
      return planInfix(node.operator, plan(node.left), plan(node.right), types);
    case 'timeComparison': {
      const planSide = (side: Expression) =>
        isDatetimeCall(side) ? plan(side) : planDatetime(plan(side), checked.timeZone);
      return planInfix(node.operator, planSide(node.left), planSide(node.right), types);
    }
    case 'membership':
      return planOneOf(plan(node.operand), [...new Set(node.items.map((item) => item.value))], false);
    case 'logical':
      return planChain(node, checked);
    default:
      return unreachable(node);
  }
}

function planApply(row: StrictRow<OverloadId>, operands: readonly Plan[], types: TypeSet): Plan {
  const overloads = findOverloads(
    row,
    operands.map((operand) => operand.types),
  );
  return { kind: 'apply', row, overloads, operands, types };
}

/** Reads a side of a comparison of times through `datetime`. */
function planDatetime(side: Plan, timeZone: TimeZone | undefined): Plan {
  const { datetime } = getFunctions(timeZone);
  return planApply(datetime, [side], getResultTypes(datetime, [side.types]));
}

function planInfix(operator: BinaryName, left: Plan, right: Plan, types: TypeSet): Plan {
  if (operator === '==' || operator === '!=') {
    if (isScalar(right)) return planOneOf(left, [right.value], operator === '!=');
    if (isScalar(left)) return planOneOf(right, [left.value], operator === '!=');
  }
  // A string never compares with a number, so only the overload for numbers can match.
  if (isOrder(operator) && isNumber(right)) return planBetween(left, operator, right.value, types);
  if (isOrder(operator) && isNumber(left)) return planBetween(right, MIRRORED[operator], left.value, types);
  return planApply(BINARY[operator], [left, right], types);
}

function planBetween(operand: Plan, order: Order, limit: number, types: TypeSet): Plan {
  return { kind: 'between', operand, order, limit, ...toNumberRange(order, limit), types };
}

function isScalar(plan: Plan): plan is Plan & { kind: 'constant'; value: Scalar | undefined } {
  return plan.kind === 'constant' && (plan.types & LIST) === 0;
}

function isNumber(plan: Plan): plan is Plan & { kind: 'constant'; value: number } {
  return plan.kind === 'constant' && plan.types === NUMBER;
}

function planOneOf(operand: Plan, constants: readonly (Scalar | undefined)[], negated: boolean): Plan {
  const values = constants.map((value) => (typeof value === 'string' ? internValue(value) : value));
  return { kind: 'oneOf', operand, values, negated, types: BOOLEAN };
}

function planChain(node: Logical, checked: Checked): Plan {
  const { decidedBy } = LOGICAL[node.operator];
  const operands = mergeEqualities(
    node.operands.map((operand) => planPredicate(operand, node.operator, checked)),
    decidedBy,
  );
  const [only] = operands;
  if (only !== undefined && operands.length === 1) return only.plan;
  const strictOperands = operands.findLastIndex(({ canFail }) => canFail) + 1;
  return { kind: 'chain', decidedBy, operands, strictOperands, types: BOOLEAN };
}

function planPredicate(node: Expression, operator: Predicate['operator'], checked: Checked): Predicate {
  return { plan: planNode(node, checked), canFail: canFail(getFacts(node, checked.facts)), operator, span: node.span };
}
