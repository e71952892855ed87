/** The number of records and, in Unix seconds, their first and last time. */
export interface Period {
  count: number;
  first: number | undefined;
  last: number | undefined;
}

/** Creates the period of no records. */
export function createPeriod(): Period {
  return { count: 0, first: undefined, last: undefined };
}

/** Adds the period of other records. */
export function extendPeriod(period: Period, { count, first, last }: Period): void {
  period.count += count;
  if (first !== undefined) period.first = Math.min(first, period.first ?? first);
  if (last !== undefined) period.last = Math.max(last, period.last ?? last);
}
