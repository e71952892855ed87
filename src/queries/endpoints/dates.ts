import type { DateRange, LatestUnits } from '../requests.ts';
import { apiErrors } from './api-errors.ts';
import { date, integer } from './kinds.ts';
import { allowParameter, requireParameter, type ValuesOf } from './parameter.ts';

const FROM = 'First day, in the time zone of the project.';
const TO = 'Last day, inclusive.';

/** The parameters of a query with a date range. */
export const DATE_PARAMETERS = {
  from_date: requireParameter(date, FROM),
  to_date: requireParameter(date, TO),
} as const;

/** The parameters of a query with a date range or a number of latest units. */
export const PERIOD = {
  interval: allowParameter(
    integer(),
    'Number of latest units to return, instead of `from_date` and `to_date`. 1 returns only the current unit.',
  ),
  from_date: allowParameter(date, FROM),
  to_date: allowParameter(date, TO),
} as const;

const DAY_MS = 86_400_000;

/**
 * Returns the date range of a query.
 *
 * @throws {HttpError} if the range is reversed or longer than `maxDays`
 */
export function readDates(
  { from_date, to_date }: ValuesOf<typeof DATE_PARAMETERS>,
  maxDays = Number.POSITIVE_INFINITY,
): DateRange {
  const days = (Date.parse(to_date) - Date.parse(from_date)) / DAY_MS + 1;
  if (days < 1) throw apiErrors.invalid('to_date', 'It must not be before `from_date`.');
  if (days > maxDays)
    throw apiErrors.dateRange(`It has ${days.toLocaleString('en-US')} days; the maximum is ${maxDays}.`);
  return { from: from_date, to: to_date };
}

/**
 * Returns the date range of a query, or its number of latest units.
 *
 * @throws {HttpError} if both are missing, or the range is incomplete or reversed
 */
export function readPeriod({ interval, from_date, to_date }: ValuesOf<typeof PERIOD>): DateRange | LatestUnits {
  if (from_date !== undefined && to_date !== undefined) return readDates({ from_date, to_date });
  if (from_date !== undefined) throw apiErrors.missing('to_date');
  if (to_date !== undefined || interval === undefined) throw apiErrors.missing('from_date');
  return { latest: interval };
}
