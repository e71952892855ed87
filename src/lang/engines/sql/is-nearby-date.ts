import type { Order } from '../../plan/range.ts';
import type { Dialect } from './dialect.ts';
import { bindParameter, type Sql, TRUE } from './sql.ts';

const SECONDS_PER_DAY = 86_400;
const [FIRST_DAY, LAST_DAY] = ['0000-01-01', '9999-12-31'].map((day) => Date.parse(day) / 1000) as [number, number];

/**
 * Returns a necessary condition for a date string to be in the given order to a time in Unix seconds. Date strings sort
 * by day, except for time zones, whose offsets are less than a day.
 */
export function isNearbyDate(string: Sql, order: Order, seconds: number, { overloads }: Dialect): Sql {
  const isUpwards = order === '>' || order === '>=';
  const day = formatDay(isUpwards ? seconds - SECONDS_PER_DAY : seconds + 2 * SECONDS_PER_DAY);
  if (day === undefined) return TRUE;
  return overloads[isUpwards ? 'atLeast.string' : 'less.string'](string, bindParameter(day));
}

/** Returns the day of a time as `YYYY-MM-DD`, or undefined if its year does not have four digits. */
function formatDay(seconds: number): string | undefined {
  return seconds < FIRST_DAY || seconds > LAST_DAY ? undefined : new Date(seconds * 1000).toISOString().slice(0, 10);
}
