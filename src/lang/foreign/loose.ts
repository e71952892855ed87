import type { Expression } from '../ast.ts';
import type { ComparisonName } from '../operators/table.ts';
import type { Span } from '../source.ts';
import {
  all,
  any,
  binaryOf,
  type Condition,
  definedOf,
  isOneOf,
  literal,
  NO,
  notOf,
  twoValued,
  YES,
} from './conditions.ts';
import {
  compareOperands,
  describeLooseness,
  type ForeignOperand,
  type ForeignValue,
  foldComparison,
  noteConversions,
  testOperands,
} from './values.ts';

/** The comparisons of JavaScript, for values of one type. */
export const SCRIPT_COMPARISONS = new Map<string, ComparisonName>([
  ['===', '=='],
  ['==', '=='],
  ['!==', '!='],
  ['!=', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

/** Whether `==` of JavaScript takes a literal for a value of another type. */
function isLoose(constant: string | number | boolean): boolean {
  return typeof constant === 'boolean' || constant === 0 || constant === 1;
}

/** Notes what `==` and comparisons of order convert in JavaScript. To a word, they convert no other single value. */
export function noteLooseness(
  language: 'JavaScript' | 'JSON Logic',
  operator: ComparisonName,
  left: ForeignValue,
  right: ForeignValue,
  notes: Set<string>,
): void {
  if (noteConversions(operator, left, right, isLoose, notes)) return;
  const isEquality = operator === '==' || operator === '!=';
  if (!isEquality || !(isWord(left) || isWord(right))) notes.add(describeLooseness(language));
}

function isWord(value: ForeignValue): boolean {
  return value.every(({ operand: { constant } }) => typeof constant === 'string' && Number.isNaN(Number(constant)));
}

/** How a language compares a missing value with others. */
export interface LooseRules {
  /** Whether it counts as 0 beside a number, in comparisons of order. */
  readonly zeroInOrder: boolean;
  /** Whether it equals 0, the empty string and false. */
  readonly equalsBlank: boolean;
}

/** The values that a blank cell equals. They also count as false. */
const BLANKS = [false, 0, ''];

/** Compares two values in a language with two truth values. */
export function compareLoosely(
  operator: ComparisonName,
  left: ForeignValue,
  right: ForeignValue,
  rules: LooseRules,
  span: Span,
): Condition {
  if (operator === '!=') {
    const { isTrue, isFalse } = compareLoosely('==', left, right, rules, span);
    return { isTrue: isFalse, isFalse: isTrue };
  }
  return testOperands([left, right], (a, b) => {
    const folded = a.expression && b.expression && foldComparison(operator, a, b, span);
    if (folded !== undefined) return folded;
    return twoValued(operator === '==' ? equal(a, b, rules) : inOrder(operator, a, b, rules));
  });
}

/** Tests that a value is missing. A number that was computed from a missing value is NaN, which is not. */
function isBlank({ expression, type }: ForeignOperand): Expression {
  if (expression === undefined) return YES;
  return type === undefined ? notOf(definedOf(expression)) : NO;
}

function equal(a: ForeignOperand, b: ForeignOperand, { equalsBlank }: LooseRules) {
  if (a.expression === undefined) return isBlank(b);
  if (b.expression === undefined) return isBlank(a);
  const isComputed = [a, b].some(({ type, constant }) => type !== undefined && constant === undefined);
  const presence = isComputed ? [definedOf(a.expression)] : [];
  const comparison = all([...presence, compareOperands('==', a, b)]);
  const [one, constant] = a.constant === undefined ? [a, b.constant] : [b, a.constant];
  const isBlankConstant = constant === 0 || constant === '' || constant === false;
  if (constant !== undefined) return equalsBlank && isBlankConstant ? any([comparison, isBlank(one)]) : comparison;
  // Undefined and null are one missing value here, but not equal in onwhere.
  const bothBlank = all([isBlank(a), isBlank(b)]);
  const blanks = equalsBlank
    ? [all([isBlank(a), isOneOf(b.expression, BLANKS)]), all([isBlank(b), isOneOf(a.expression, BLANKS)])]
    : [];
  return any([comparison, bothBlank, ...blanks]);
}

function inOrder(operator: ComparisonName, a: ForeignOperand, b: ForeignOperand, { zeroInOrder }: LooseRules) {
  if (!zeroInOrder) return a.expression && b.expression ? compareOperands(operator, a, b) : NO;
  const zero: ForeignOperand = { expression: literal(0), type: 'number', constant: 0 };
  const compare = (left: ForeignOperand, right: ForeignOperand) => {
    if (left.type === 'string' || right.type === 'string') return NO;
    const folded = foldComparison(operator, left, right, { start: 0, end: 0 });
    return folded ? folded.isTrue : binaryOf(operator, left.expression ?? NO, right.expression ?? NO);
  };
  const both = a.expression && b.expression ? compareOperands(operator, a, b) : NO;
  return any([
    both,
    all([isBlank(a), b.expression ? compare(zero, b) : NO]),
    all([isBlank(b), a.expression ? compare(a, zero) : NO]),
    all([isBlank(a), isBlank(b), compare(zero, zero)]),
  ]);
}

/** Tests that a value is neither missing nor false, 0 or the empty string. */
export function truthOf(value: ForeignValue): Condition {
  return testOperands([value], ({ expression, constant, type }) => {
    if (expression === undefined) return twoValued(NO);
    if (constant !== undefined) return twoValued(constant ? YES : NO);
    if (type === 'number') return twoValued(all([definedOf(expression), binaryOf('!=', expression, literal(0))]));
    return twoValued(all([definedOf(expression), notOf(isOneOf(expression, BLANKS))]));
  });
}
