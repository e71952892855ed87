import type { QueryParameters } from '../api/service-api.ts';

/** The length of an interval. */
export type IntervalSize = { readonly days: number } | { readonly months: number };

/** Returns the length of the intervals that a query asks for. */
export function readIntervalSize({ interval, unit }: QueryParameters): IntervalSize {
  if (interval !== undefined) return { days: Number(interval) };
  return unit === 'month' ? { months: 1 } : { days: unit === 'week' ? 7 : 1 };
}

/** Returns whether an interval has begun on a day. It is a number of intervals after the one that begins on `date`. */
export function hasBegun(date: string, size: IntervalSize, count: number, day: string): boolean {
  const time = new Date(`${date}T00:00:00Z`);
  if ('days' in size) time.setUTCDate(time.getUTCDate() + size.days * count);
  else time.setUTCMonth(time.getUTCMonth() + size.months * count);
  return time.getTime() <= Date.parse(`${day}T00:00:00Z`);
}
