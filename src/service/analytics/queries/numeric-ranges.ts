import type { Dialect } from '../../../lang/engines/sql/dialect.ts';
import { RANGE_WIDTHS } from '../../../queries/range-widths.ts';
import { getSqlFunctions } from '../sql/sql-functions.ts';

/**
 * Returns SQL for the `width` of ranges for the numbers from `least` to `greatest`, the columns of the one-row table
 * `extent`.
 *
 * It is the smallest round width that needs at most `max` ranges, each starting at a multiple of it. Numbers on both
 * sides of 0 need at least two ranges; a single number has a range of width 1.
 */
export function lowerRangeWidth(dialect: Dialect, extent: string, max: number): string {
  const widths = `SELECT ${getSqlFunctions(dialect).numbersIn(`'${RANGE_WIDTHS.join(' ')}'`)} AS candidate`;
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
