import type { DateRange, LatestUnits } from '../../analytics/queries.ts';
import { apiErrors } from './api-errors.ts';
import { date, integer } from './kinds.ts';
import { allowParameter, requireParameter, type ValuesOf } from './parameter.ts';

const FROM = 'The first day, in the time zone of the project.';
const TO = 'The last day.';

/** The parameters of a query over days. */
export const DATE_PARAMETERS = {
  from_date: requireParameter(date, FROM),
  to_date: requireParameter(date, TO),
} as const;

/** The parameters of a query over days, or up to the present. */
export const PERIOD = {
  interval: allowParameter(
    integer(),
    'How many units up to the present one: 1 is the present one alone. Instead of `from_date` and `to_date`.',
  ),
  from_date: allowParameter(date, FROM),
  to_date: allowParameter(date, TO),
} as const;

const DAY_MS = 86_400_000;

/** @throws {HttpError} where the days are in the wrong order, or too many. */
export function readDates(
  { from_date, to_date }: ValuesOf<typeof DATE_PARAMETERS>,
  mostDays = Number.POSITIVE_INFINITY,
): DateRange {
  const days = (Date.parse(to_date) - Date.parse(from_date)) / DAY_MS + 1;
  if (days < 1) throw apiErrors.invalid('to_date', 'It is before `from_date`.');
  if (days > mostDays)
    throw apiErrors.dateRange(`It has ${days.toLocaleString('en-US')} days, and ${mostDays} are the most.`);
  return { from: from_date, to: to_date };
}

/** @throws {HttpError} where neither days nor units are given, or the days are in the wrong order. */
export function readPeriod({ interval, from_date, to_date }: ValuesOf<typeof PERIOD>): DateRange | LatestUnits {
  if (from_date !== undefined && to_date !== undefined) return readDates({ from_date, to_date });
  if (from_date !== undefined) throw apiErrors.missing('to_date');
  if (to_date !== undefined || interval === undefined) throw apiErrors.missing('from_date');
  return { latest: interval };
}
