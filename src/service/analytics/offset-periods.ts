import { Temporal } from 'temporal-polyfill';

/** A period without a clock change in a time zone, in Unix seconds, half open. */
export interface OffsetPeriod {
  readonly from: number;
  readonly to: number;
  /** Local time minus Unix time, in seconds. */
  readonly offset: number;
}

/** Event times are above 0 and below this. Outside, the offset is assumed not to change. */
const LAST_TIME = 2 ** 32;

/** Splits a range of Unix seconds into periods with the same offset, in order. */
export function listOffsetPeriods(timeZone: string, from: number, to: number): OffsetPeriod[] {
  const periods: OffsetPeriod[] = [];
  const end = Math.min(to, LAST_TIME);
  let begin = from;
  let local = toZonedTime(Math.min(Math.max(from, 0), LAST_TIME), timeZone);
  while (true) {
    const offset = local.offsetNanoseconds / 1e9;
    const next = local.getTimeZoneTransition('next');
    const seconds = next === null ? end : next.epochMilliseconds / 1000;
    if (next === null || seconds >= end) return [...periods, { from: begin, to, offset }];
    periods.push({ from: begin, to: seconds, offset });
    begin = seconds;
    local = next;
  }
}

function toZonedTime(seconds: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(timeZone);
}
