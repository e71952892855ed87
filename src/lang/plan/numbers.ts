// Engines can keep numbers as doubles. NaN stands for every value that is not a number, and negative zero for zero.

/** Returns NaN for ±Infinity, because arithmetic without a finite result is undefined (language, section 1). */
export function nanIfNotFinite(number: number): number {
  return number - number === 0 ? number : Number.NaN;
}

/** Returns a value or a raw property if it is a finite number, else NaN. */
export function toNumberOrNaN(raw: unknown): number {
  return typeof raw === 'number' ? nanIfNotFinite(raw) : Number.NaN;
}

/** Evaluates `%`, faster for NaN and most integers. `| 0` keeps an integer one if it is negative zero. */
export function computeRemainder(left: number, right: number): number {
  const whole = left | 0;
  const divisor = right | 0;
  if (whole === left && divisor === right && divisor !== 0) return (whole % divisor) | 0;
  return Number.isNaN(left) ? left : left % right;
}
