import { SCAN_END, type Steps } from '../../operators/zone-offsets.ts';

/** The rules of the first of these years repeat, like the calendar. */
const FIRST_YEAR = 2101;
const CYCLE = 28;
/** Any 400 years of the calendar have the same length, which is in whole weeks. */
const PERIOD = 400;
const WEEK = 7 * 86_400;

/** The years from {@link SCAN_END} on, in which the rules of all time zones repeat those of earlier years. */
export const REPEATED = {
  /** The start of the earlier years, in local seconds. A zone without changes since has none later. */
  pattern: toLocalSeconds(FIRST_YEAR),
  start: SCAN_END,
  /** In seconds. All repeats itself after it. */
  period: toLocalSeconds(FIRST_YEAR + PERIOD) - toLocalSeconds(FIRST_YEAR),
  /** The seconds to subtract from a local time of the first period, so that it has the same place in an earlier year. */
  shifts: findShifts(),
};

/** Finds the year with the same calendar, and so the same rules, for each year of the first period. */
function findShifts(): Steps {
  const [limits, values]: [number[], number[]] = [[], []];
  let known = FIRST_YEAR - 1;
  for (let year = FIRST_YEAR + CYCLE; year < FIRST_YEAR + CYCLE + PERIOD; year++) {
    const next = FIRST_YEAR + ((known - FIRST_YEAR + 1) % CYCLE);
    known = hasSameCalendar(year, next) ? next : findYear(year);
    const shift = toLocalSeconds(year) - toLocalSeconds(known);
    if (shift === values.at(-1)) continue;
    if (values.length > 0) limits.push(toLocalSeconds(year));
    values.push(shift);
  }
  return { limits, values };
}

function findYear(year: number): number {
  let found = FIRST_YEAR;
  while (!hasSameCalendar(year, found)) found++;
  return found;
}

function hasSameCalendar(year: number, other: number): boolean {
  const [length, otherLength] = [year, other].map((one) => toLocalSeconds(one + 1) - toLocalSeconds(one));
  return length === otherLength && (toLocalSeconds(year) - toLocalSeconds(other)) % WEEK === 0;
}

/** Returns the start of a year, in local seconds. */
function toLocalSeconds(year: number): number {
  return Date.UTC(year) / 1000;
}
