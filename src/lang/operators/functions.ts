import { isPart } from '../../base/is-part.ts';
import { isEqual, type Scalar, undefinedIfNotFinite, type Value } from '../value.ts';

/** Evaluates `value in list` (language, section 4, rule 5). */
export function isElement(value: Value, list: readonly Scalar[]): boolean {
  return list.some((element) => isEqual(value, element));
}

/** Evaluates `string in value`: a substring of a string, or an element of a list. Returns false for other values. */
export function contains(value: Value, string: string): boolean {
  return typeof value === 'string' ? isPart(string, value) : Array.isArray(value) && value.includes(string);
}

/**
 * Rounds halves away from zero (language, section 4, rule 8). `Math.floor(number + 0.5)` would round
 * 0.49999999999999994 up.
 */
export function roundHalfAway(number: number): number | undefined {
  const whole = Math.trunc(number);
  return undefinedIfNotFinite(Math.abs(number - whole) >= 0.5 ? whole + Math.sign(number) : whole);
}

const WORDS = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** Parses a boolean; returns undefined for any other string (language, section 3). */
export function parseBoolean(string: string): boolean | undefined {
  return WORDS.get(string);
}
