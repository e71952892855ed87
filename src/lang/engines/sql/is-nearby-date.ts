import type { Order } from '../../plan/range.ts';
import type { Dialect } from './dialect.ts';
import { bindParameter, type Sql, TRUE } from './sql.ts';

const DAY = 86_400;
const [FIRST_DAY, LAST_DAY] = ['0000-01-01', '9999-12-31'].map((day) => Date.parse(day) / 1000) as [number, number];

/**
 * A condition that holds of the text of every date in such an order to a time in Unix seconds: texts of dates are in the order of their
 * days, but for zones, which are less than a day.
 */
export function isNearbyDate(text: Sql, order: Order, seconds: number, { overloads }: Dialect): Sql {
  const isUpwards = order === '>' || order === '>=';
  const day = dayOf(isUpwards ? seconds - DAY : seconds + 2 * DAY);
  if (day === undefined) return TRUE;
  return overloads[isUpwards ? 'atLeast.string' : 'less.string'](text, bindParameter(day));
}

/** The day of a time, `YYYY-MM-DD`; nothing where its year has no four digits. */
function dayOf(seconds: number): string | undefined {
  return seconds < FIRST_DAY || seconds > LAST_DAY ? undefined : new Date(seconds * 1000).toISOString().slice(0, 10);
}
