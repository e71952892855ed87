import type { Expression, FunctionName, Literal, LogicalName, Scope } from '../ast.ts';
import { type BinaryName, type ComparisonName, LOGICAL } from '../operators/table.ts';
import { takeSteps } from '../steps.ts';
import { printInline } from '../syntax/print.ts';
import { refuseAt } from './refusal.ts';

/**
 * A condition of a language with three truth values, as two conditions of onwhere. Both are false if the value is
 * unknown. In languages with two truth values, one is the negation of the other.
 */
export interface Condition {
  readonly isTrue: Expression;
  readonly isFalse: Expression;
}

export const TOO_LONG = 'The translation is too long. Translate the filter in parts.';

const NO_SPAN = { start: 0, end: 0 };
/** `case` and lists repeat parts. In nodes. */
const MAX_SIZE = 5000;
/** Larger operands are not compared with their siblings. In nodes. */
const MAX_COMPARED = 40;

const sizes = new WeakMap<Expression, number>();

function sized(node: Expression, children: readonly Expression[]): Expression {
  const size = children.reduce((sum, child) => sum + (sizes.get(child) ?? 1), 1);
  takeSteps(1 + children.length);
  if (size > MAX_SIZE) refuseAt('size', NO_SPAN, TOO_LONG);
  sizes.set(node, size);
  return node;
}

/** Creates a literal. A negative number is a negation. */
export function literal(value: string | number | boolean): Expression {
  return typeof value === 'number' && value < 0 ? minusOf(item(-value)) : item(value);
}

function item(value: string | number | boolean): Literal {
  return { kind: 'literal', value: value === 0 ? 0 : value, span: NO_SPAN };
}

/** Creates a negated number. */
function minusOf(operand: Expression): Expression {
  return sized({ kind: 'prefix', operator: '-', operand, span: NO_SPAN }, [operand]);
}

/** Creates a property. */
export function propertyOf(scope: Scope, name: string): Expression {
  return { kind: 'property', scope, name, span: NO_SPAN };
}

/** Creates `now`. */
export function nowNode(): Expression {
  return { kind: 'now', span: NO_SPAN };
}

/** Creates a function call. */
export function callOf(operator: FunctionName, operand: Expression): Expression {
  return sized({ kind: 'call', operator, operand, span: NO_SPAN }, [operand]);
}

/** Creates a binary operation other than `and` and `or`. */
export function binaryOf(operator: BinaryName, left: Expression, right: Expression): Expression {
  return sized({ kind: 'binary', operator, left, right, span: NO_SPAN }, [left, right]);
}

/** Creates a comparison with a `datetime(...)` call on one side. */
export function compareTimes(operator: ComparisonName, left: Expression, right: Expression): Expression {
  return sized({ kind: 'timeComparison', operator, left, right, span: NO_SPAN }, [left, right]);
}

/** Tests whether a value equals one of some literals. */
export function isOneOf(operand: Expression, values: readonly (string | number | boolean)[]): Expression {
  const [only] = values;
  if (only === undefined) return NO;
  if (values.length === 1) return binaryOf('==', operand, literal(only));
  const items = values.map(item);
  return sized({ kind: 'membership', operator: 'in', operand, items, span: NO_SPAN }, [operand, ...items]);
}

/** Tests that a value is neither missing nor null. */
export function definedOf(operand: Expression): Expression {
  return operand.kind === 'literal' ? YES : callOf('defined', operand);
}

/** Always true. */
export const YES: Expression = { kind: 'literal', value: true, span: NO_SPAN };
/** Always false. */
export const NO: Expression = { kind: 'literal', value: false, span: NO_SPAN };

/** Negates a condition: true if it is false or undefined. */
export function notOf(operand: Expression): Expression {
  if (operand === YES) return NO;
  if (operand === NO) return YES;
  if (operand.kind === 'prefix' && operand.operator === 'not') return operand.operand;
  if (operand.kind === 'binary' && operand.operator === '==') return binaryOf('!=', operand.left, operand.right);
  if (operand.kind === 'binary' && operand.operator === '!=') return binaryOf('==', operand.left, operand.right);
  return sized({ kind: 'prefix', operator: 'not', operand, span: NO_SPAN }, [operand]);
}

/** Joins conditions by `and`. */
export function all(operands: readonly Expression[]): Expression {
  return join('and', operands);
}

/** Joins conditions by `or`. */
export function any(operands: readonly Expression[]): Expression {
  return join('or', operands);
}

/** Joins conditions without nested chains of the same operator, constants and small duplicates. */
function join(operator: LogicalName, operands: readonly Expression[]): Expression {
  const [decisive, neutral] = LOGICAL[operator].decidedBy ? [YES, NO] : [NO, YES];
  const seen = new Set<string>();
  const needed = operands
    .flatMap((operand) => (operand.kind === 'logical' && operand.operator === operator ? operand.operands : [operand]))
    .filter((operand) => {
      const size = sizes.get(operand) ?? 1;
      // Parts that are dropped or found again are work too, although the translation stays short.
      takeSteps(size > MAX_COMPARED ? 1 : size);
      if (operand === neutral) return false;
      if (size > MAX_COMPARED) return true;
      const text = printInline(operand);
      return !seen.has(text) && seen.add(text);
    });
  if (needed.includes(decisive)) return decisive;
  const [only] = needed;
  if (only === undefined) return neutral;
  return needed.length === 1 ? only : sized({ kind: 'logical', operator, operands: needed, span: NO_SPAN }, needed);
}

/** Returns a condition that is never unknown. */
export function twoValued(isTrue: Expression): Condition {
  return { isTrue, isFalse: notOf(isTrue) };
}

/** Negates a condition. The negation of unknown is unknown. */
export function negated({ isTrue, isFalse }: Condition): Condition {
  return { isTrue: isFalse, isFalse: isTrue };
}

/** True if all conditions are, false if one is. */
export function conjunction(conditions: readonly Condition[]): Condition {
  return {
    isTrue: all(conditions.map(({ isTrue }) => isTrue)),
    isFalse: any(conditions.map(({ isFalse }) => isFalse)),
  };
}

/** True if one condition is, false if all are. */
export function disjunction(conditions: readonly Condition[]): Condition {
  return negated(conjunction(conditions.map(negated)));
}
