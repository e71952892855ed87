import type { ComparisonName } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { all, type Condition, callOf, definedOf, NO, notOf } from './conditions.ts';
import { refuseAt } from './refusal.ts';
import { testString } from './strings.ts';
import { looksLikeDate, type Moment, readMoment, TIME_NOTE, toTimeValue } from './times.ts';
import {
  compareKnown,
  constantOf,
  type ForeignValue,
  getConstant,
  mapOperands,
  noteConversions,
  presentOf,
  testOperands,
} from './values.ts';

/** A part of SQL: a condition, a value, a time or an interval in seconds. */
export type Term = { readonly span: Span } & (
  | { readonly kind: 'condition'; readonly condition: Condition }
  | {
      readonly kind: 'value';
      readonly value: ForeignValue;
      readonly form?: ValueForm;
      /** A shorter divisor: `x` for `nullif(x, 0)`, because the result of dividing by zero is undefined already. */
      readonly divisor?: ForeignValue;
    }
  | { readonly kind: 'moment'; readonly moment: Moment }
  | { readonly kind: 'interval'; readonly seconds: number }
);

/** How a value is written, where that matters for its meaning. */
type ValueForm =
  | 'null'
  /** In double quotes: a column in standard SQL, a string in MySQL and BigQuery. */
  | 'double-quoted'
  /** By `->>`, which makes a string of any value. */
  | 'json';

/** Returns a term as a value. */
export function toValue(term: Term): ForeignValue {
  switch (term.kind) {
    case 'value':
      if (term.form === 'null') refuseAt('null', term.span, 'Nothing equals NULL. Write IS NULL or IS NOT NULL.');
      return term.value;
    case 'moment':
      return toTimeValue(term.moment);
    case 'interval':
      return refuseAt(
        'time',
        term.span,
        "An interval is only understood after a time, as in NOW() - INTERVAL '7 days'.",
      );
    default:
      return refuseAt('type', term.span, 'This is a condition. A value is needed here.');
  }
}

/** Returns a term as a condition: a column is true if it is the boolean true. */
export function toSqlCondition(term: Term): Condition {
  if (term.kind === 'condition') return term.condition;
  if (term.kind === 'value' && term.form === 'null') return { isTrue: NO, isFalse: NO };
  const value = toValue(term);
  const constant = getConstant(value);
  if (constant !== undefined && typeof constant !== 'boolean')
    refuseAt('type', term.span, 'This is a value. A condition is needed here.');
  return compareKnown('==', value, constantOf(true), term.span);
}

/** Compares two terms as SQL does: unknown if one is NULL. */
export function compareTerms(
  operator: ComparisonName,
  left: Term,
  right: Term,
  span: Span,
  notes: Set<string>,
): Condition {
  if (right.kind === 'value' && right.form === 'double-quoted') refuseDoubleQuotes(right.span);
  if (left.kind === 'condition' || right.kind === 'condition')
    refuseAt('type', span, 'Conditions cannot be compared. Write a = TRUE as a, a = FALSE as NOT a.');
  const bound = right.kind === 'value' ? getConstant(right.value) : undefined;
  if (isInfinity(bound) && operator === (String(bound).startsWith('-') ? '>' : '<')) {
    notes.add('Infinity is read as a number, which no property is.');
    return { isTrue: presentOf(toValue(left)), isFalse: NO };
  }
  const isEquality = operator === '==' || operator === '!=';
  const [from, to] = [readOperand(left, right, isEquality, notes), readOperand(right, left, isEquality, notes)];
  if (from.kind === 'moment' || to.kind === 'moment') notes.add(TIME_NOTE);
  const [a, b] = [toValue(from), toValue(to)];
  noteConversions(operator, a, b, isConverted, notes);
  return compareKnown(operator, a, b, span);
}

/** Whether databases read a literal as a boolean beside one, or store booleans as it. */
export function isConverted(constant: string | number | boolean): boolean {
  return constant === 0 || constant === 1 || (typeof constant === 'string' && BOOLEAN_TEXT.test(constant));
}

const BOOLEAN_TEXT = /^(?:[tf]|true|false|True|False|TRUE|FALSE|yes|no|on|off)$/;

/** Reads a side of a comparison, whose meaning can depend on the other side. */
function readOperand(term: Term, other: Term, isEquality: boolean, notes: Set<string>): Term {
  const constant = other.kind === 'value' ? getConstant(other.value) : undefined;
  if (isJson(term)) return constant === 'true' || constant === 'false' ? textOf(term) : term;
  return isEquality && isJson(other) ? term : readDate(term, other, notes);
}

type JsonTerm = Extract<Term, { readonly kind: 'value' }>;

/** Returns whether a term is a string that `->>` has made of any value. */
export function isJson(term: Term): term is JsonTerm {
  return term.kind === 'value' && term.form === 'json';
}

/** Returns the text of a property, `true` of a boolean, as `->>` does. */
export function textOf(term: JsonTerm): Term {
  const value = mapOperands([term.value], ({ expression }) => ({
    expression: expression && callOf('string', expression),
    type: 'string',
  }));
  return { kind: 'value', value, span: term.span };
}

/** Returns whether a value is the number infinity, as databases write it. */
export function isInfinity(constant: unknown): boolean {
  return typeof constant === 'string' && /^-?infinity$/i.test(constant);
}

/** @throws {Refusal} always. */
export function refuseDoubleQuotes(span: Span): never {
  return refuseAt(
    'name',
    span,
    'Double quotes name a column in some databases and hold a string in others. Write strings in single quotes.',
  );
}

/** Databases read a string that is a date as one if the column holds dates. */
function readDate(term: Term, other: Term, notes: Set<string>): Term {
  const text = term.kind === 'value' ? getConstant(term.value) : undefined;
  if (typeof text !== 'string' || !looksLikeDate(text) || other.kind !== 'value') return term;
  if (getConstant(other.value) !== undefined) return term;
  notes.add(`'${text}' is read as a date.`);
  return { kind: 'moment', moment: readMoment(text, term.span), span: term.span };
}

/** Tests `value LIKE pattern`. */
export function testLike(value: ForeignValue, pattern: string, span: Span): Condition {
  if (pattern.includes('\\')) refuseAt('pattern', span, 'Databases read a backslash in a pattern differently.');
  if (pattern.includes('_')) refuseAt('pattern', span, 'onwhere has no test for any single character, `_`.');
  const match = /^(%*)([^%]*)(%*)$/.exec(pattern);
  if (match === null)
    refuseAt('pattern', span, "onwhere cannot test the order of two parts. Test each with LIKE '%part%'.");
  const [, before = '', text = '', after = ''] = match;
  if (before !== '' && after === '' && text !== '') refuseAt('pattern', span, 'onwhere cannot test how a string ends.');
  const test = before !== '' ? 'contains' : after !== '' ? 'startsWith' : 'equals';
  return testOperands([value], (operand) => {
    const { expression, type } = operand;
    if (expression === undefined) return { isTrue: NO, isFalse: NO };
    if (type !== undefined && type !== 'string') refuseAt('type', span, 'LIKE takes a string.');
    const isTrue = text === '' && before !== '' ? definedOf(expression) : testString(test, expression, text);
    return { isTrue, isFalse: all([definedOf(expression), notOf(isTrue)]) };
  });
}
