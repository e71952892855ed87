import type { Dialect } from '../engines/sql/dialect.ts';
import { sqlFunctions } from './sql-functions.ts';

/** Widths that people choose, up to powers of ten. */
const STEPS = [1, 2, 2.5, 5];

/** Ranges of doubles that are apart by less than this have no place between them. */
const LEAST_POWER = -307;

const GREATEST_POWER = 308;

const WIDTHS = Array.from({ length: GREATEST_POWER - LEAST_POWER + 1 }, (_, index) => LEAST_POWER + index)
  .flatMap((power) => STEPS.map((step) => `${step}e${power}`))
  .filter((width) => Number.isFinite(Number(width)));

/**
 * SQL for the `width` of ranges of the numbers from `least` to `greatest`, the columns of a table of one row: the least width that people would choose by which
 * they are in so many ranges at most, each beginning at a multiple of it. Numbers on both sides of 0 are in two ranges at least; a number alone is in one of
 * width 1.
 */
export function rangeWidth(dialect: Dialect, extent: string, most: number): string {
  const widths = `SELECT ${sqlFunctions(dialect).numbersIn(`'${WIDTHS.join(' ')}'`)} AS candidate`;
  const ranges = `SELECT *, floor(least / candidate) AS first, floor(greatest / candidate) AS last FROM (${widths}) AS widths CROSS JOIN ${extent}`;
  const conditions = [
    // The ranges tell where 0 is, not the numbers: a small one below 0 is rounded to 0 when it is divided.
    `last - first < CASE WHEN first < 0 AND last >= 0 THEN ${Math.max(most, 2)} ELSE ${most} END`,
    // What is divided by less has lost the digits in which it differs.
    `candidate >= (greatest / 2 - least / 2) / ${(most + 2) / 2}`,
  ];
  return `SELECT min(CASE WHEN least = greatest THEN 1.0 ELSE candidate END) AS width FROM (${ranges}) AS ranges
    WHERE least = greatest OR candidate = ${WIDTHS.at(-1)} OR ${conditions.join(' AND ')}`;
}

const DIGITS = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 15 });

/** How people write the range that is a number of widths from 0 on: `2,000 - 2,100`. */
export function rangeLabel(number: number, width: number): string {
  return `${DIGITS.format(number * width)} - ${DIGITS.format((number + 1) * width)}`;
}
