import { isKeyOf } from '../../base/objects.ts';
import type { Expression, Membership, Property } from '../ast.ts';
import { COMPARISONS, type ComparisonName, type FunctionName } from '../operators/table.ts';
import { printInline } from '../syntax/print.ts';
import type { FormCondition, FormGroup, FormRow, FormScalar, FormTime } from './form.ts';

/** Returns the rows that show a tree. A part that no row can show becomes an expression: nothing is left out. */
export function readForm(tree: Expression): FormGroup {
  const row = readRow(tree);
  return row.kind === 'group' ? row : { kind: 'group', join: 'and', negated: false, rows: [row] };
}

function readRow(node: Expression): FormRow {
  const condition = readCondition(node);
  if (condition !== undefined) return condition;
  if (node.kind === 'logical') {
    return { kind: 'group', join: node.operator, negated: false, rows: node.operands.map(readRow) };
  }
  if (node.kind !== 'prefix' || node.operator !== 'not') return { kind: 'expression', source: printInline(node) };
  const row = readRow(node.operand);
  return row.kind === 'group' && !row.negated
    ? { ...row, negated: true }
    : { kind: 'group', join: 'and', negated: true, rows: [row] };
}

function readCondition(node: Expression): FormCondition | undefined {
  switch (node.kind) {
    case 'binary':
      if (node.operator === 'in') return readContains(node.left, node.right);
      return isKeyOf(node.operator, COMPARISONS)
        ? readComparison(node.operator as ComparisonName, node.left, node.right)
        : undefined;
    case 'timeComparison':
      return readComparison(node.operator, node.left, node.right);
    case 'membership':
      return readMembership(node);
    case 'call':
      return node.operator === 'defined' ? subjectOf(node.operand, { operator: 'defined' }) : undefined;
    case 'prefix': {
      const negated = node.operator === 'not' ? readCondition(node.operand) : undefined;
      switch (negated?.operator) {
        case 'in':
        case 'contains':
        case 'defined':
          return { ...negated, operator: `not ${negated.operator}` };
        default:
          return undefined;
      }
    }
    default:
      return undefined;
  }
}

function readComparison(operator: ComparisonName, left: Expression, right: Expression): FormCondition | undefined {
  const value = readTime(right) ?? readScalar(right);
  return value === undefined ? undefined : subjectOf(left, { operator, value });
}

function readContains(part: Expression, whole: Expression): FormCondition | undefined {
  const value = readScalar(part);
  return value === undefined ? undefined : subjectOf(whole, { operator: 'contains', value });
}

function readMembership({ operand, items }: Membership): FormCondition | undefined {
  return subjectOf(operand, { operator: 'in', value: items.map(({ value }) => value) });
}

/** Returns a condition on a property, or on a function of one. */
function subjectOf(node: Expression, rest: Pick<FormCondition, 'operator' | 'value'>): FormCondition | undefined {
  if (node.kind === 'property') return { ...propertyOf(node), ...rest };
  if (node.kind !== 'call' || node.operand.kind !== 'property') return undefined;
  const called: { function: FunctionName } = { function: node.operator };
  return { ...propertyOf(node.operand), ...called, ...rest };
}

function propertyOf({ scope, name }: Property): Pick<FormCondition, 'kind' | 'scope' | 'property'> {
  return { kind: 'condition', scope, property: name };
}

function readTime(node: Expression): FormTime | undefined {
  if (node.kind !== 'call' || node.operator !== 'datetime') return undefined;
  const value = readScalar(node.operand);
  return typeof value === 'string' || typeof value === 'number' ? { datetime: value } : undefined;
}

/** Returns the value of a literal or a negated number. `-0` is none: the sign of a zero is not kept. */
function readScalar(node: Expression): FormScalar | undefined {
  if (node.kind === 'literal') return node.value;
  if (node.kind !== 'prefix' || node.operator !== '-' || node.operand.kind !== 'literal') return undefined;
  const { value } = node.operand;
  return typeof value === 'number' && value > 0 ? -value : undefined;
}
