import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import { getSqlFunctions } from './sql-functions.ts';

/** A width that people choose: digits times a power of ten, which no double may be. */
interface Width {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Up to powers of ten, in tenths. */
const DIGITS = [10n, 20n, 25n, 50n];

/** Ranges of doubles that are apart by less than the first have no place between them. The last holds all numbers below 0, or all others. */
const EXPONENTS = { first: -308, last: 307 };
const MAX_WIDTH: Width = { digits: 20n, exponent: EXPONENTS.last };

/** Widths by the doubles that databases have for them. The greatest double is in place of the widest, which is 2e308. */
const WIDTHS: ReadonlyMap<number, Width> = new Map(
  Array.from({ length: EXPONENTS.last - EXPONENTS.first + 1 }, (_, index) => EXPONENTS.first + index)
    .flatMap((exponent) =>
      DIGITS.map((digits): [number, Width] => [Number(`${digits}e${exponent}`), { digits, exponent }]),
    )
    .filter(([width]) => Number.isFinite(width))
    .concat([[Number.MAX_VALUE, MAX_WIDTH]]),
);

/**
 * SQL for the `width` of ranges of the numbers from `least` to `greatest`, the columns of a table of one row: the least width that people would choose by which
 * they are in so many ranges at most, each beginning at a multiple of it. Numbers on both sides of 0 are in two ranges at least; a number alone is in one of
 * width 1.
 */
export function lowerRangeWidth(dialect: Dialect, extent: string, most: number): string {
  const widths = `SELECT ${getSqlFunctions(dialect).numbersIn(`'${[...WIDTHS.keys()].join(' ')}'`)} AS candidate`;
  const ranges = `SELECT *, floor(least / candidate) AS first, floor(greatest / candidate) AS last FROM (${widths}) AS widths CROSS JOIN ${extent}`;
  const conditions = [
    // The ranges tell where 0 is, not the numbers: a small one below 0 is rounded to 0 when it is divided.
    `last - first < CASE WHEN first < 0 AND last >= 0 THEN ${Math.max(most, 2)} ELSE ${most} END`,
    // What is divided by less has lost the digits in which it differs.
    `candidate >= (greatest / 2 - least / 2) / ${(most + 2) / 2}`,
  ];
  return `SELECT min(CASE WHEN least = greatest THEN 1.0 ELSE candidate END) AS width FROM (${ranges}) AS ranges
    WHERE least = greatest OR candidate = ${Number.MAX_VALUE} OR ${conditions.join(' AND ')}`;
}

/** SQL for the number of the range that a value is in. */
export function lowerRangeNumber(value: string, width: string): string {
  const side = `CASE WHEN ${value} < 0 THEN -1.0 ELSE 0.0 END`;
  // Plus 0, for ClickHouse groups -0 apart.
  return `CASE WHEN ${width} = ${Number.MAX_VALUE} THEN ${side} ELSE floor(${value} / ${width}) + 0 END`;
}

/** How people write the range that is a number of widths from 0 on: `2,000 - 2,100`. */
export function formatRange(number: bigint, width: number): string {
  const { digits, exponent } = WIDTHS.get(width) ?? MAX_WIDTH;
  return [number, number + 1n].map((bound) => exactDecimal(bound * digits, exponent)).join(' - ');
}

/** A number times a power of ten, with all of its digits. */
function exactDecimal(number: bigint, exponent: number): string {
  const one = 10n ** BigInt(Math.max(0, -exponent));
  const size = (number < 0n ? -number : number) * 10n ** BigInt(Math.max(0, exponent));
  const fraction = String(size % one)
    .padStart(-exponent, '0')
    .replace(/0+$/, '');
  const whole = (size / one).toLocaleString('en-US');
  return `${number < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
