import type { ComparisonName } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { all, type Condition, callOf, definedOf, NO, negated, notOf, twoValued, YES } from './conditions.ts';
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
      return isJson(term) ? textOf(term) : term.value;
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

/** Returns a term as a condition: a column is true if it is the boolean true, or a number other than 0. */
export function toSqlCondition(term: Term): Condition {
  if (term.kind === 'condition') return term.condition;
  if (term.kind === 'value' && term.form === 'null') return { isTrue: NO, isFalse: NO };
  return testOperands([toStoredValue(term)], ({ expression, type, constant }) => {
    if (expression === undefined) return { isTrue: NO, isFalse: NO };
    if (type !== undefined && type !== 'boolean')
      refuseAt('type', term.span, 'This is a value. A condition is needed here.');
    if (constant !== undefined) return twoValued(constant ? YES : NO);
    const isTrue = callOf('boolean', expression);
    return { isTrue, isFalse: all([definedOf(expression), notOf(isTrue)]) };
  });
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
  if (isJson(left) || isJson(right)) return compareJson(operator, left, right, span, notes);
  const [from, to] = [readDate(left, right, notes), readDate(right, left, notes)];
  if (from.kind === 'moment' || to.kind === 'moment') notes.add(TIME_NOTE);
  const [a, b] = [toValue(from), toValue(to)];
  noteConversions(operator, a, b, isConverted, notes);
  noteOrder(operator, a, b, notes);
  return compareKnown(operator, a, b, span);
}

/** Compares what `->>` has read. */
function compareJson(operator: ComparisonName, left: Term, right: Term, span: Span, notes: Set<string>): Condition {
  const isEquality = operator === '==' || operator === '!=';
  if (isEquality && isJson(right) && !isJson(left)) return compareJson(operator, right, left, span, notes);
  const text = right.kind === 'value' ? getConstant(right.value) : undefined;
  if (isEquality && isJson(left) && typeof text === 'string') {
    const isEqual = compareKnown('==', readJson(left, [text], notes), constantOf(text), span).isTrue;
    const condition = { isTrue: isEqual, isFalse: all([presentOf(left.value), notOf(isEqual)]) };
    return operator === '==' ? condition : negated(condition);
  }
  const [a, b] = [readSide(left, right, notes), readSide(right, left, notes)];
  if (left.kind === 'moment' || right.kind === 'moment') notes.add(TIME_NOTE);
  noteOrder(operator, a, b, notes);
  return compareKnown(operator, a, b, span);
}

/** Returns a side of a comparison with what `->>` has read: its text, except beside a time or a number. */
function readSide(term: Term, other: Term, notes: Set<string>): ForeignValue {
  if (!isJson(term)) return toValue(term);
  if (other.kind === 'moment') return term.value;
  const constant = other.kind === 'value' ? getConstant(other.value) : undefined;
  if (typeof constant === 'number') return readJson(term, [constant], notes);
  noteText([term], notes);
  return toValue(term);
}

/** Returns what `->>` has read as values that equal some literals: as it is, if none is the text of another value. */
export function readJson(
  term: JsonTerm,
  constants: readonly (string | number | boolean)[],
  notes: Set<string>,
): ForeignValue {
  if (constants.some((constant) => typeof constant === 'number')) {
    notes.add('`->>` makes a string. Databases compare it with a number differently, or fail.');
    return numberOf(term);
  }
  if (constants.some((constant) => /^(?:[[{]|-?\d.*e)/i.test(String(constant)))) noteText([term], notes);
  return constants.some((constant) => /^(?:-?\d|true$|false$|[[{])/.test(String(constant))) ? textOf(term) : term.value;
}

/** Notes which values have another text than in JSON, if `->>` has read one of some terms. */
export function noteText(terms: readonly Term[], notes: Set<string>): void {
  if (terms.some(isJson)) notes.add('A list has no text here, and a number no exponent. `->>` writes them as in JSON.');
}

/** Notes the order of strings that a comparison depends on. */
function noteOrder(operator: ComparisonName, left: ForeignValue, right: ForeignValue, notes: Set<string>): void {
  const isString = [...left, ...right].some(({ operand }) => operand.type === 'string');
  if (isString && operator !== '==' && operator !== '!=')
    notes.add('Strings are ordered by their characters, as with the collation C.');
}

/** Whether databases read a literal as a boolean beside one, or store booleans as it. */
export function isConverted(constant: string | number | boolean): boolean {
  return constant === 0 || constant === 1 || (typeof constant === 'string' && BOOLEAN_TEXT.test(constant));
}

const BOOLEAN_TEXT = /^(?:[tf]|true|false|True|False|TRUE|FALSE|yes|no|on|off)$/;

type JsonTerm = Extract<Term, { readonly kind: 'value' }> & { readonly form: 'json' };

/** Returns whether a term is a string that `->>` has made of any value. */
export function isJson(term: Term): term is JsonTerm {
  return term.kind === 'value' && term.form === 'json';
}

/** Returns the text of a property, `true` of a boolean, as `->>` does. */
function textOf({ value }: JsonTerm): ForeignValue {
  return mapOperands([value], ({ expression }) => ({
    expression: expression && callOf('string', expression),
    type: 'string',
  }));
}

/** Returns the number of a property, which a string of digits is too. */
export function numberOf({ value }: JsonTerm): ForeignValue {
  return mapOperands([value], ({ expression }) => ({
    expression: expression && callOf('number', expression),
    type: 'number',
  }));
}

/** Returns a term as a value, and what `->>` has read as it was before. */
export function toStoredValue(term: Term): ForeignValue {
  return isJson(term) ? term.value : toValue(term);
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
