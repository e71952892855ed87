import type { Span } from '../source.ts';
import { all, type Condition, definedOf, NO, negated, notOf, twoValued } from './conditions.ts';
import { refuseAt } from './refusal.ts';
import { addTerms } from './sql-arithmetic.ts';
import { refuseDoubleQuotes, type Term, toSqlCondition, toValue } from './sql-terms.ts';
import { testString } from './strings.ts';
import { chooseCondition, chooseValue, getConstant, NULL_VALUE, testOperands } from './values.ts';

/** Returns the result of the first case whose condition is true, else `otherwise`, or NULL without it. */
export function chooseTerm(
  cases: readonly (readonly [Condition, Term])[],
  otherwise: Term | undefined,
  span: Span,
): Term {
  const results = [...cases.map(([, result]) => result), ...(otherwise ? [otherwise] : [])];
  if (results.some(({ kind }) => kind === 'condition')) {
    const unknown: Condition = { isTrue: NO, isFalse: NO };
    const condition = chooseCondition(
      cases.map(([when, result]) => [when, toSqlCondition(result)] as const),
      otherwise ? toSqlCondition(otherwise) : unknown,
    );
    return { kind: 'condition', condition, span };
  }
  const valueOfResult = (term: Term) => (term.kind === 'value' && term.form === 'null' ? NULL_VALUE : toValue(term));
  const value = chooseValue(
    cases.map(([when, result]) => [when, valueOfResult(result)] as const),
    otherwise ? valueOfResult(otherwise) : NULL_VALUE,
  );
  return { kind: 'value', value, span };
}

/** Reads `coalesce(condition, false)`: the condition, or the literal where it is unknown. */
export function coalesceCondition(terms: readonly Term[], span: Span): Term {
  const [first, second] = terms;
  const constant = second?.kind === 'value' ? getConstant(second.value) : undefined;
  if (first === undefined || typeof constant !== 'boolean' || terms.length > 2)
    return refuseAt('function', span, 'COALESCE of a condition is only translated with TRUE or FALSE.');
  const { isTrue, isFalse } = toSqlCondition(first);
  return { kind: 'condition', condition: constant ? negated(twoValued(isFalse)) : twoValued(isTrue), span };
}

/** Functions that test a string, with what they test. */
const STRING_TESTS = new Map([
  ['STARTS_WITH', 'startsWith'],
  ['STARTSWITH', 'startsWith'],
  ['CONTAINS', 'contains'],
] as const);

/** Functions that add an interval to a time, with the operator that does. */
const TIME_SHIFTS = new Map([
  ['DATE_ADD', '+'],
  ['TIMESTAMP_ADD', '+'],
  ['DATE_SUB', '-'],
  ['TIMESTAMP_SUB', '-'],
] as const);

/** Reads a function that only some databases have. Returns undefined for others. */
export function readDialectCall(name: string, terms: readonly Term[], span: Span): Term | undefined {
  const [first, second, third] = terms;
  if (first === undefined || second === undefined) return undefined;
  if ((name === 'IF' || name === 'IFF') && third !== undefined)
    return chooseTerm([[toSqlCondition(first), second]], third, span);
  const shift = TIME_SHIFTS.get(name as 'DATE_ADD');
  if (shift !== undefined && first.kind === 'moment' && second.kind === 'interval')
    return addTerms(shift, first, second, span);
  const test = STRING_TESTS.get(name as 'CONTAINS');
  if (test === undefined || terms.length > 2) return undefined;
  if (second.kind === 'value' && second.form === 'double-quoted') refuseDoubleQuotes(second.span);
  const text = getConstant(toValue(second));
  if (typeof text !== 'string') return refuseAt('pattern', second.span, 'The part to look for must be a string.');
  const condition = testOperands([toValue(first)], ({ expression }) => {
    if (expression === undefined) return { isTrue: NO, isFalse: NO };
    const isTrue = testString(test, expression, text);
    return { isTrue, isFalse: all([definedOf(expression), notOf(isTrue)]) };
  });
  return { kind: 'condition', condition, span };
}

const DAYS = "onwhere has no days, months or years. Compare the time: created_at >= '2025-06-01'.";
const FIND = "Write x LIKE '%part%' to find a part of a string.";
const PATTERN = 'onwhere has no regular expressions.';

/** Why a function has no translation, whatever its arguments are. */
const REASONS = new Map([
  ...['DATE', 'DATE_TRUNC', 'EXTRACT', 'DATE_PART', 'YEAR', 'MONTH', 'DAY', 'HOUR'].map(
    (name) => [name, DAYS] as const,
  ),
  ...['POSITION', 'STRPOS', 'INSTR', 'CHARINDEX', 'LOCATE'].map((name) => [name, FIND] as const),
  ...['REGEXP_CONTAINS', 'REGEXP_LIKE', 'REGEXP_MATCHES', 'RLIKE'].map((name) => [name, PATTERN] as const),
  ['TRIM', 'onwhere compares strings exactly, with the spaces around them.'],
  ['ANY', "Write IN ('pro', 'team')."],
  ['EQUAL_NULL', 'Write IS NOT DISTINCT FROM.'],
  ['DATEADD', "Write an interval: CURRENT_TIMESTAMP - INTERVAL '7 days'."],
  ['SAFE_CAST', 'Databases convert values in different ways. Compare the property with a value of its type.'],
]);

/** Refuses a function that has no translation with any arguments. */
export function refuseSqlFunction(name: string, span: Span): void {
  const reason = REASONS.get(name);
  if (reason !== undefined) refuseAt('function', span, reason);
}
