import type { QueryParameters } from '../api/service-api.ts';

/** The length of an interval. */
export type IntervalSize = { readonly days: number } | { readonly months: number };

/** Returns the length of the intervals that a query asks for. */
export function readIntervalSize({ interval, unit }: QueryParameters): IntervalSize {
  if (interval !== undefined) return { days: Number(interval) };
  return unit === 'month' ? { months: 1 } : { days: unit === 'week' ? 7 : 1 };
}

/** Adds a number of intervals to a date. Both dates are `yyyy-mm-dd`. */
export function addIntervals(date: string, size: IntervalSize, count: number): string {
  const time = new Date(`${date}T00:00:00Z`);
  if ('days' in size) time.setUTCDate(time.getUTCDate() + size.days * count);
  else time.setUTCMonth(time.getUTCMonth() + size.months * count);
  return time.toISOString().slice(0, 10);
}
