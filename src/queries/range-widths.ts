/** A round width: digits times a power of ten. It may exceed a double. */
interface Width {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The digits of round widths, in tenths of a power of ten. */
const DIGITS = [10n, 20n, 25n, 50n];

/**
 * The exponents of widths. Doubles closer than the first cannot be separated. The widest range holds all numbers below
 * 0, or all others.
 */
const EXPONENTS = { first: -308, last: 307 };
const MAX_WIDTH: Width = { digits: 20n, exponent: EXPONENTS.last };

/** Widths by their doubles in the database. The maximum double represents the widest, 2e308. */
const WIDTHS: ReadonlyMap<number, Width> = new Map(
  Array.from({ length: EXPONENTS.last - EXPONENTS.first + 1 }, (_, index) => EXPONENTS.first + index)
    .flatMap((exponent) =>
      DIGITS.map((digits): [number, Width] => [Number(`${digits}e${exponent}`), { digits, exponent }]),
    )
    .filter(([width]) => Number.isFinite(width))
    .concat([[Number.MAX_VALUE, MAX_WIDTH]]),
);

/** The widths that ranges can have, as the doubles of the database, in order. */
export const RANGE_WIDTHS: readonly number[] = [...WIDTHS.keys()];

/** Formats the range with a number, in widths from 0: `2,000 - 2,100`. */
export function formatRange(number: bigint, width: number): string {
  const { digits, exponent } = WIDTHS.get(width) ?? MAX_WIDTH;
  return [number, number + 1n].map((bound) => formatExactDecimal(bound * digits, exponent)).join(' - ');
}

/** Formats a number times a power of ten with all digits. */
function formatExactDecimal(number: bigint, exponent: number): string {
  const one = 10n ** BigInt(Math.max(0, -exponent));
  const size = (number < 0n ? -number : number) * 10n ** BigInt(Math.max(0, exponent));
  const fraction = String(size % one)
    .padStart(-exponent, '0')
    .replace(/0+$/, '');
  const whole = (size / one).toLocaleString('en-US');
  return `${number < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
