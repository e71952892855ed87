import { Temporal } from 'temporal-polyfill';
import type { BucketUnit, DateRange } from './requests.ts';

/** Days before these, counted from the last, are left out. */
const MAX_YEARS = 20;

/** The share of events that may be before the dates, and after them: a clock that is wrong does not stretch them. */
const STRAY_SHARE = 0.005;

/** The units of the series, each up to a number of days. */
const UNITS: readonly (readonly [BucketUnit, days: number])[] = [
  ['hour', 2],
  ['day', 92],
  ['week', 731],
];

/** The events of a day. */
interface DayCount {
  readonly day: string;
  readonly events: number;
}

/** Returns the days in which to look for events: the years up to the last event, whose time is in Unix seconds. */
export function getOverviewRange(lastTime: number, timeZone: string): DateRange {
  const last = Temporal.Instant.fromEpochMilliseconds(lastTime * 1000)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  return { from: last.subtract({ years: MAX_YEARS }).toString(), to: last.toString() };
}

/** Returns the days of all events but the first and the last few; undefined without events. */
export function chooseDates(counts: readonly DayCount[]): DateRange | undefined {
  const strays = STRAY_SHARE * counts.reduce((sum, { events }) => sum + events, 0);
  const findFirst = (days: readonly DayCount[]) => {
    let before = 0;
    for (const { day, events } of days) {
      before += events;
      if (before > strays) return day;
    }
    return undefined;
  };
  const [from, to] = [findFirst(counts), findFirst(counts.toReversed())];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Returns the unit of a chart over these dates. */
export function chooseOverviewUnit({ from, to }: DateRange): BucketUnit {
  const days = Temporal.PlainDate.from(from).until(to).days + 1;
  return UNITS.find(([, most]) => days <= most)?.[0] ?? 'month';
}
