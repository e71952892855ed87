import type { DateRange, LatestUnits } from '../../analytics/queries.ts';
import { date, integer } from './kinds.ts';
import { optional, required, type ValuesOf } from './parameter.ts';
import { published } from './published.ts';

const FROM = 'The first day, in the time zone of the project.';
const TO = 'The last day.';

/** The parameters of a query over days. */
export const DATES = { from_date: required(date, FROM), to_date: required(date, TO) } as const;

/** The parameters of a query over days, or up to the present. */
export const PERIOD = {
  interval: optional(
    integer(),
    'How many units up to the present one: 1 is the present one alone. Instead of `from_date` and `to_date`.',
  ),
  from_date: optional(date, FROM),
  to_date: optional(date, TO),
} as const;

const DAY_MS = 86_400_000;

/** @throws {Refusal} where the days are in the wrong order, or too many. */
export function datesOf(
  { from_date, to_date }: ValuesOf<typeof DATES>,
  mostDays = Number.POSITIVE_INFINITY,
): DateRange {
  const days = (Date.parse(to_date) - Date.parse(from_date)) / DAY_MS + 1;
  if (days < 1) throw published.invalid('to_date', 'It is before `from_date`.');
  if (days > mostDays)
    throw published.dateRange(`It has ${days.toLocaleString('en-US')} days, and ${mostDays} are the most.`);
  return { from: from_date, to: to_date };
}

/** @throws {Refusal} where neither days nor units are given, or the days are in the wrong order. */
export function periodOf({ interval, from_date, to_date }: ValuesOf<typeof PERIOD>): DateRange | LatestUnits {
  if (from_date !== undefined && to_date !== undefined) return datesOf({ from_date, to_date });
  if (from_date !== undefined) throw published.missing('to_date');
  if (to_date !== undefined || interval === undefined) throw published.missing('from_date');
  return { latest: interval };
}
