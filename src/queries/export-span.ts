import { Buckets } from './buckets.ts';
import type { TimeRange } from './time-range.ts';

/** No event is before or after these days, in any time zone. */
const [FIRST_DAY, LAST_DAY] = ['1969-12-30', '2106-02-09'];

/** Requests raw events. */
export interface ExportRequest {
  /** The first and the last day, `yyyy-mm-dd`; unlimited if undefined. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only events at this time or later, in Unix seconds. */
  readonly fromTime?: number | undefined;
  /** The names of the events; all events if undefined. */
  readonly events?: readonly string[] | undefined;
  readonly where?: string | undefined;
}

/** Returns the time of the events that a request is for. */
export function getExportSpan(
  { from: first = FIRST_DAY, to: last = LAST_DAY, fromTime = 0 }: ExportRequest,
  timeZone: string,
): TimeRange {
  const from = first < FIRST_DAY ? FIRST_DAY : first;
  const to = last > LAST_DAY ? LAST_DAY : last;
  if (from > to) return { from: 0, to: 0 };
  // The unit does not matter, but there are fewer months than days.
  const range = Buckets.units({ from, to }, 'month', timeZone);
  return { from: Math.max(range.from, fromTime), to: range.to, gaps: range.gaps };
}
