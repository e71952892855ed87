import type { Span } from '../source.ts';
import { refuseAt } from './refusal.ts';
import { type Term, toValue } from './sql-terms.ts';
import { computeNumber, type ForeignValue, getConstant, isReal } from './values.ts';

/** Adds numbers, or an interval to a time. */
export function addTerms(operator: '+' | '-', left: Term, right: Term, span: Span): Term {
  if (left.kind === 'moment' && right.kind === 'interval') {
    const seconds = left.moment.seconds + (operator === '+' ? right.seconds : -right.seconds);
    if (left.moment.base === 'epoch' && seconds < 1) refuseAt('time', span, 'Times are from 1970 on.');
    return { kind: 'moment', moment: { ...left.moment, seconds }, span };
  }
  for (const { kind, span: at } of [left, right]) {
    if (kind === 'moment') refuseAt('time', at, 'Only an interval can be added to a time.');
  }
  return { kind: 'value', value: computeNumber(operator, toValue(left), toValue(right), span), span };
}

/**
 * Returns the value to divide by. Refuses divisions by zero, and divisions that some databases cut to whole numbers.
 */
export function readDivisor(operator: string, left: Term, right: Term): ForeignValue {
  const notZero = right.kind === 'value' ? right.divisor : undefined;
  const divisor = notZero ?? toValue(right);
  const constant = getConstant(divisor);
  const isSafe = (typeof constant === 'number' && constant !== 0) || notZero !== undefined;
  if (!isSafe) refuseAt('division', right.span, 'Databases differ on a division by zero. Divide by NULLIF(…, 0).');
  if (operator === '/' && !isReal(toValue(left)) && !isReal(divisor))
    refuseAt(
      'division',
      right.span,
      'Some databases cut the result to a whole number. Write a decimal point: x / 2.0.',
    );
  return divisor;
}

/** Says what to do instead of calling a function. */
export function describeFunction(name: string): string {
  const word = name.toUpperCase();
  if (['LOWER', 'UPPER', 'LCASE', 'UCASE'].includes(word))
    return `onwhere has no ${name}(): it compares strings exactly. List the spellings: IN ('pro', 'Pro').`;
  if (['LENGTH', 'LEN', 'CHAR_LENGTH'].includes(word)) return 'onwhere cannot measure the length of a string.';
  if (word === 'ROUND') return 'Databases round halves differently. Write FLOOR(x) or CEIL(x).';
  return `${name}() has no translation.`;
}
