import { undefinedIfNotFinite } from '../language/value.ts';

/**
 * `round`: halves go away from zero. Adding 0.5 first would round 0.49999999999999994 up (language, section 4, rule 8).
 */
export function roundHalfAway(number: number): number | undefined {
  const whole = Math.trunc(number);
  return undefinedIfNotFinite(Math.abs(number - whole) >= 0.5 ? whole + Math.sign(number) : whole);
}
