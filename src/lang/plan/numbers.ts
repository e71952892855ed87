// Numbers as engines may carry them: NaN stands for whatever is no number, and negative zero for zero.

/** The result of arithmetic, which is no number where it is not finite (language, section 1). */
export function nanIfNotFinite(number: number): number {
  return number - number === 0 ? number : Number.NaN;
}

/** What a property holds, or a value, if it is a number. */
export function toNumberOrNaN(raw: unknown): number {
  return typeof raw === 'number' ? nanIfNotFinite(raw) : Number.NaN;
}

/**
 * `%`. Integers of 32 bits, as most numbers are, have a much faster remainder; `| 0` keeps it one where it is negative
 * zero.
 */
export function computeRemainder(left: number, right: number): number {
  const whole = left | 0;
  const divisor = right | 0;
  return whole === left && divisor === right && divisor !== 0 ? (whole % divisor) | 0 : left % right;
}
