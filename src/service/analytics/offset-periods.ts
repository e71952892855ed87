import { Temporal } from 'temporal-polyfill';

/** A time over which the clocks of a zone go on without a jump. Times are Unix seconds, half open. */
export interface OffsetPeriod {
  readonly from: number;
  readonly to: number;
  /** Local time less Unix time, in seconds. */
  readonly offset: number;
}

/** The times of events are above 0 and below this. Beyond them, clocks count as going on as they did. */
const LAST_TIME = 2 ** 32;

/** The periods, in order, that a span of Unix seconds is made of. */
export function listOffsetPeriods(timeZone: string, from: number, to: number): OffsetPeriod[] {
  const periods: OffsetPeriod[] = [];
  const end = Math.min(to, LAST_TIME);
  let begin = from;
  let local = at(Math.min(Math.max(from, 0), LAST_TIME), timeZone);
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

function at(seconds: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(timeZone);
}
