import { guardIf } from '../../base/guard.ts';
import { ExpressionTypeError } from '../errors.ts';
import type { Span } from '../source.ts';
import { formatDecimal, getTypeName, type Scalar, type Value } from '../value.ts';

/**
 * Converts the value of a filter, or of an operand of `and` or `or`, to a boolean (language, section 4, rule 6, and
 * section 5). Undefined counts as false.
 *
 * @throws {ExpressionTypeError} if the value is neither a boolean nor undefined.
 */
export function toCondition(value: Value, operator: 'and' | 'or' | 'where', span: Span, source: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined) return false;
  throw new ExpressionTypeError(source, operator, getTypeName(value), span);
}

/**
 * Returns the names of the segments of a value. A list puts its record into one segment for each distinct element
 * (language, section 5).
 *
 * @throws {TypeError} if the value is not a value of the language.
 *
 * @example
 * toSegmentNames(1.5); // ['1.5']
 * toSegmentNames(['a', 'b', 'a']); // ['a', 'b']
 */
export function toSegmentNames(value: Value): string[] {
  for (const scalar of Array.isArray(value) ? value : [value]) assertScalar(scalar, 'value');
  return listSegments(value);
}

/** Returns the segments of a value of the language. */
export function listSegments(value: Value): string[] {
  return Array.isArray(value) ? [...new Set(value.map(toSegmentName))] : [toSegmentName(value as Scalar | undefined)];
}

function toSegmentName(value: Scalar | undefined): string {
  return typeof value === 'number' ? formatDecimal(value) : String(value);
}

const assertScalar = guardIf(
  (value) => value === undefined || value === null || ['string', 'number', 'boolean'].includes(typeof value),
  'a value of the language: a string, a number, a boolean, null, undefined or an array of them',
);

/** Returns the number that a value counts as in a sum or an average, 0 for other types (language, section 5). */
export function toNumberOrZero(value: Value): number {
  return typeof value === 'number' ? value : 0;
}
