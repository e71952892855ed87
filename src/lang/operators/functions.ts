import { isEqual, type Scalar, undefinedIfNotFinite, type Value } from '../value.ts';

/** Whether some element equals the value: `in` with a list, from a property or written (language, section 4, rule 5). */
export function isElement(value: Value, list: readonly Scalar[]): boolean {
  return list.some((element) => isEqual(value, element));
}

/** Whether a text is part of the value or, of a list, an element: `"text" in value` is true. */
export function contains(value: Value, text: string): boolean {
  return typeof value === 'string' ? value.includes(text) : Array.isArray(value) && value.includes(text);
}

/**
 * `round`: halves go away from zero. Adding 0.5 first would round 0.49999999999999994 up (language, section 4, rule 8).
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

/** The boolean that a string spells, undefined for any other string (language, section 3). */
export function parseBoolean(text: string): boolean | undefined {
  return WORDS.get(text);
}
