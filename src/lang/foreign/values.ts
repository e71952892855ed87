import type { Expression } from '../ast.ts';
import type { ComparisonName } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { compareStrings } from '../value.ts';
import {
  all,
  any,
  binaryOf,
  type Condition,
  callOf,
  compareTimes,
  definedOf,
  literal,
  NO,
  notOf,
  twoValued,
  YES,
} from './conditions.ts';
import { refuseAt } from './refusal.ts';

type ValueType = 'string' | 'number' | 'boolean' | 'time';

/** A value of another language: its expression, or undefined for null. */
export interface ForeignOperand {
  readonly expression: Expression | undefined;
  /** Undefined if it depends on the record. */
  readonly type?: ValueType | undefined;
  /** Its value, if it is a literal. */
  readonly constant?: string | number | boolean | undefined;
  /** Whether a division of it keeps the fraction in every database. */
  readonly isReal?: boolean;
}

/** A value that depends on conditions, as `case` does. At most one condition is true for a record: none if it fails. */
export type ForeignValue = readonly Branch[];

interface Branch {
  readonly when: Expression;
  readonly operand: ForeignOperand;
}

/** Returns a value that depends on no condition. */
export function unconditional(operand: ForeignOperand): ForeignValue {
  return [{ when: YES, operand }];
}

export const NULL_VALUE = unconditional({ expression: undefined });

/** Returns the value of a literal. */
export function constantOf(constant: string | number | boolean, isReal = false): ForeignValue {
  return unconditional({ expression: literal(constant), type: typeof constant as ValueType, constant, isReal });
}

/** Returns the literal that a value is, or undefined. */
export function getConstant(value: ForeignValue): string | number | boolean | undefined {
  return value.length === 1 ? value[0]?.operand.constant : undefined;
}

/** Returns whether a division of a value keeps the fraction in every database. */
export function isReal(value: ForeignValue): boolean {
  return value.every(({ operand }) => operand.isReal === true);
}

/** Returns whether a value is a number, whatever the record is. */
export function isAlwaysNumber(value: ForeignValue): boolean {
  return value.every(({ operand }) => operand.type === 'number');
}

/**
 * Notes that digits in quotes are a string, although other languages read them as a number beside numbers. Returns whether
 * they are.
 */
export function noteDigits(value: ForeignValue, notes: Set<string>): boolean {
  const text = getConstant(value);
  if (typeof text !== 'string' || !/^\s*[+-]?[\d.]+\s*$/.test(text)) return false;
  notes.add(`'${text}' is compared as a string. Remove the quotes if the property is a number.`);
  return true;
}

/**
 * Notes literals that a language converts to the type of the other side. onwhere converts nothing. Returns whether there
 * are any.
 *
 * @param isConverted Whether an equality with the literal can hold for a value of another type.
 */
export function noteConversions(
  operator: ComparisonName,
  left: ForeignValue,
  right: ForeignValue,
  isConverted: (constant: string | number | boolean) => boolean,
  notes: Set<string>,
): boolean {
  let isNoted = false;
  for (const [value, other] of [[left, right] as const, [right, left] as const]) {
    if (noteDigits(value, notes)) isNoted = true;
    const isUntyped = other.some(({ operand: { expression, type } }) => expression !== undefined && type === undefined);
    if (!isUntyped || (operator !== '==' && operator !== '!=')) continue;
    for (const { operand } of value)
      if (operand.constant !== undefined && isConverted(operand.constant)) {
        notes.add(describeConversion(operand.constant));
        isNoted = true;
      }
  }
  return isNoted;
}

/** Says that a language converts what it compares or computes with, and onwhere does not. */
export function describeLooseness(language: 'JavaScript' | 'JSON Logic'): string {
  return `${language} also compares "10" with 9, true with 1 and null with 0. onwhere converts nothing.`;
}

/** Says that a language tells null from a missing property, which onwhere does not. */
export function describeNull(language: 'JavaScript' | 'CEL'): string {
  return `null and a missing property are the same here. ${language} tells them apart.`;
}

export const LISTS_NOTE = 'Two lists are equal here if their elements are.';

/** Returns whether a value is a literal, or one of some literals. */
export function isFixed(value: ForeignValue): boolean {
  return value.every(({ operand }) => operand.constant !== undefined);
}

/** Says that a literal is not converted, and what to write instead. */
export function describeConversion(constant: string | number | boolean): string {
  const written = typeof constant === 'string' ? `'${constant}'` : constant;
  const meant = typeof constant === 'boolean' ? Number(constant) : isYes(constant);
  const other = typeof constant === 'boolean' ? 'number' : 'boolean';
  return `${written} is compared as a ${typeof constant}. Write ${meant} instead if the property is a ${other}.`;
}

function isYes(constant: string | number): boolean {
  return constant === 1 || ['t', 'true', 'yes', 'on'].includes(String(constant).toLowerCase());
}

/** Returns the value of the first case whose condition is true, else `otherwise`. */
export function chooseValue(
  cases: readonly (readonly [Condition, ForeignValue])[],
  otherwise: ForeignValue,
): ForeignValue {
  const before: Expression[] = [];
  const branches: Branch[] = [];
  for (const [condition, value] of cases) {
    branches.push(...guarded([...before, condition.isTrue], value));
    before.push(notOf(condition.isTrue));
  }
  return [...branches, ...guarded(before, otherwise)];
}

/** Returns a value under conditions. */
export function guarded(guards: readonly Expression[], value: ForeignValue): ForeignValue {
  return value
    .map(({ when, operand }) => ({ when: all([...guards, when]), operand }))
    .filter(({ when }) => when !== NO);
}

/** Returns the condition of the first case that is true, else `otherwise`. */
export function chooseCondition(cases: readonly (readonly [Condition, Condition])[], otherwise: Condition): Condition {
  const before: Expression[] = [];
  const [whenTrue, whenFalse]: [Expression[], Expression[]] = [[], []];
  for (const [condition, result] of cases) {
    whenTrue.push(all([...before, condition.isTrue, result.isTrue]));
    whenFalse.push(all([...before, condition.isTrue, result.isFalse]));
    before.push(notOf(condition.isTrue));
  }
  whenTrue.push(all([...before, otherwise.isTrue]));
  whenFalse.push(all([...before, otherwise.isFalse]));
  return { isTrue: any(whenTrue), isFalse: any(whenFalse) };
}

/** Returns the first value that is neither missing nor null. */
export function firstPresent(values: readonly ForeignValue[]): ForeignValue {
  const last = values.at(-1) ?? NULL_VALUE;
  return chooseValue(
    values.slice(0, -1).map((value) => [twoValued(presentOf(value)), value] as const),
    last,
  );
}

/** Tests that a value is neither missing nor null. */
export function presentOf(value: ForeignValue): Expression {
  return any(value.map(({ when, operand: { expression } }) => (expression ? all([when, definedOf(expression)]) : NO)));
}

/** Returns a condition on the operands of one or two values. */
export function testOperands(
  values: readonly [ForeignValue] | readonly [ForeignValue, ForeignValue],
  test: (left: ForeignOperand, right: ForeignOperand) => Condition,
): Condition {
  const [left, right = NULL_VALUE] = values;
  const [whenTrue, whenFalse]: [Expression[], Expression[]] = [[], []];
  for (const a of left) {
    for (const b of right) {
      const { isTrue, isFalse } = test(a.operand, b.operand);
      whenTrue.push(all([a.when, b.when, isTrue]));
      whenFalse.push(all([a.when, b.when, isFalse]));
    }
  }
  return { isTrue: any(whenTrue), isFalse: any(whenFalse) };
}

/** Returns a value computed from the operands of one or two values. */
export function mapOperands(
  values: readonly [ForeignValue] | readonly [ForeignValue, ForeignValue],
  compute: (left: ForeignOperand, right: ForeignOperand) => ForeignOperand,
): ForeignValue {
  const [left, right = NULL_VALUE] = values;
  return left.flatMap((a) =>
    right.map((b) => ({ when: all([a.when, b.when]), operand: compute(a.operand, b.operand) })),
  );
}

/** Computes with numbers. The result is null if an operand is. */
export function computeNumber(
  operator: '+' | '-' | '*' | '/' | '%',
  left: ForeignValue,
  right: ForeignValue,
  span: Span,
): ForeignValue {
  return mapOperands([left, right], (a, b) => {
    if (a.expression === undefined || b.expression === undefined) return { expression: undefined };
    for (const { type } of [a, b]) {
      if (type !== undefined && type !== 'number') refuseAt('type', span, `\`${operator}\` only takes numbers here.`);
    }
    const folded = foldIntegers(operator, a.constant, b.constant, span);
    if (folded !== undefined) return { expression: literal(folded), type: 'number', constant: folded };
    return {
      expression: binaryOf(operator, a.expression, b.expression),
      type: 'number',
      isReal: a.isReal === true || b.isReal === true,
    };
  });
}

/** Computes with literals. Databases compute with fractions exactly, so they are refused. */
function foldIntegers(operator: string, left: unknown, right: unknown, span: Span): number | undefined {
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  if (left === 0 && right !== 0 && (operator === '/' || operator === '%')) return 0;
  const result = operator === '+' ? left + right : operator === '-' ? left - right : left * right;
  if (![left, right, result].every(Number.isSafeInteger) || operator === '/' || operator === '%')
    refuseAt('division', span, 'Languages round this constant differently. Write its result.');
  return result;
}

const OPPOSITE: Readonly<Record<ComparisonName, ComparisonName>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

/** Compares two values. Unknown if one is missing or null. */
export function compareKnown(operator: ComparisonName, left: ForeignValue, right: ForeignValue, span: Span): Condition {
  return testOperands([left, right], (a, b) => {
    if (a.expression === undefined || b.expression === undefined) return { isTrue: NO, isFalse: NO };
    const constant = foldComparison(operator, a, b, span);
    if (constant !== undefined) return constant;
    return {
      isTrue: compareIfKnown(operator, a, b),
      isFalse: compareIfKnown(OPPOSITE[operator], a, b),
    };
  });
}

/** Compares operands. False if one is missing or null. */
function compareIfKnown(operator: ComparisonName, a: ForeignOperand, b: ForeignOperand): Expression {
  const comparison = compareOperands(operator, a, b);
  // Comparisons of order are undefined for a missing side, and an equal one only needs one side to be known.
  const hasKnown = a.constant !== undefined || b.constant !== undefined || isTime(a, b);
  if (operator === '==') return hasKnown ? comparison : all([comparison, presenceOf(a)]);
  return operator === '!=' ? all([presenceOf(a), presenceOf(b), comparison]) : comparison;
}

function presenceOf({ expression, type }: ForeignOperand): Expression {
  return expression === undefined ? NO : type === 'time' ? YES : definedOf(expression);
}

function isTime(...operands: readonly ForeignOperand[]): boolean {
  return operands.some(({ type }) => type === 'time');
}

/** Returns the comparison of onwhere for two operands that are not null, of times if one is a time. */
export function compareOperands(operator: ComparisonName, a: ForeignOperand, b: ForeignOperand): Expression {
  const [left, right] = [a.expression ?? NO, b.expression ?? NO];
  if (!isTime(a, b)) return binaryOf(operator, left, right);
  const isCall = [left, right].some((side) => side.kind === 'call' && side.operator === 'datetime');
  if (isCall) return compareTimes(operator, left, right);
  // `now` is a number: without a call, the other side would not be read as a time.
  return a.type === 'time'
    ? compareTimes(operator, left, callOf('datetime', right))
    : compareTimes(operator, callOf('datetime', left), right);
}

/** Compares two literals, or refuses values whose types can never be compared. */
export function foldComparison(
  operator: ComparisonName,
  a: ForeignOperand,
  b: ForeignOperand,
  span: Span,
): Condition | undefined {
  const isOrder = operator !== '==' && operator !== '!=';
  if (isOrder && (a.type === 'boolean' || b.type === 'boolean'))
    refuseAt('type', span, 'Booleans have no order in onwhere. Compare with one of them: x = true.');
  const known = a.type !== undefined && b.type !== undefined;
  if (known && a.type !== b.type) refuseAt('type', span, `This compares a ${a.type} with a ${b.type}.`);
  if (known && a.type === 'time') refuseAt('time', span, 'This compares two times that no record changes.');
  if (a.constant === undefined || b.constant === undefined) return undefined;
  return twoValued(compareConstants(operator, a.constant, b.constant) ? YES : NO);
}

/** Compares two literals of one type. */
export function compareConstants(
  operator: ComparisonName,
  left: string | number | boolean,
  right: string | number | boolean,
): boolean {
  const order = typeof left === 'string' ? compareStrings(left, String(right)) : Number(left) - Number(right);
  const holds = {
    '==': order === 0,
    '!=': order !== 0,
    '<': order < 0,
    '<=': order <= 0,
    '>': order > 0,
    '>=': order >= 0,
  };
  return holds[operator];
}
