import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import { getSqlFunctions } from './sql-functions.ts';

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

/**
 * Returns SQL for the `width` of ranges for the numbers from `least` to `greatest`, the columns of the one-row table
 * `extent`.
 *
 * It is the smallest round width that needs at most `max` ranges, each starting at a multiple of it. Numbers on both
 * sides of 0 need at least two ranges; a single number has a range of width 1.
 */
export function lowerRangeWidth(dialect: Dialect, extent: string, max: number): string {
  const widths = `SELECT ${getSqlFunctions(dialect).numbersIn(`'${[...WIDTHS.keys()].join(' ')}'`)} AS candidate`;
  const ranges = `SELECT *, floor(least / candidate) AS first, floor(greatest / candidate) AS last FROM (${widths}) AS widths CROSS JOIN ${extent}`;
  const conditions = [
    // Test the ranges, not the numbers: dividing a tiny negative number rounds it to 0.
    `last - first < CASE WHEN first < 0 AND last >= 0 THEN ${Math.max(max, 2)} ELSE ${max} END`,
    // Dividing by less loses the digits in which the numbers differ.
    `candidate >= (greatest / 2 - least / 2) / ${(max + 2) / 2}`,
  ];
  return `SELECT min(CASE WHEN least = greatest THEN 1.0 ELSE candidate END) AS width FROM (${ranges}) AS ranges
    WHERE least = greatest OR candidate = ${Number.MAX_VALUE} OR ${conditions.join(' AND ')}`;
}

/** Returns SQL for the number of the range that contains a value. */
export function lowerRangeNumber(value: string, width: string): string {
  const side = `CASE WHEN ${value} < 0 THEN -1.0 ELSE 0.0 END`;
  // Adding 0 turns -0 into 0, which ClickHouse would group separately.
  return `CASE WHEN ${width} = ${Number.MAX_VALUE} THEN ${side} ELSE floor(${value} / ${width}) + 0 END`;
}

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
