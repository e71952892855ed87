import { ExpressionTypeError } from '../errors.ts';
import type { Span } from '../source.ts';
import { guardIf } from '../util/guard.ts';
import { formatDecimal, getTypeName, type Scalar, type Value } from '../value.ts';

/**
 * Judges a value as an operand of `and` or `or`, or as a filter (language, section 4, rule 6, and section 5): undefined is false.
 *
 * @throws {ExpressionTypeError} for a value that is neither a boolean nor undefined.
 */
export function toCondition(value: Value, operator: 'and' | 'or' | 'where', span: Span, source: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined) return false;
  throw new ExpressionTypeError(source, operator, getTypeName(value), span);
}

/**
 * The segments that a value puts its record into, by name: a list into one for each distinct element (language, section 5).
 *
 * @throws {TypeError} for what is no value of the language.
 */
export function toSegmentNames(value: Value): string[] {
  return Array.isArray(value) ? [...new Set(value.map(segmentName))] : [segmentName(value as Scalar | undefined)];
}

function segmentName(value: Scalar | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatDecimal(value);
  assertConstant(value, 'value');
  return String(value);
}

const assertConstant = guardIf(
  (value) => value === undefined || value === null || typeof value === 'boolean',
  'a value of the language: a string, a number, a boolean, null, undefined or an array of them',
);

/** The number that a value counts as in a sum or an average (language, section 5). */
export function toNumberOrZero(value: Value): number {
  return typeof value === 'number' ? value : 0;
}
