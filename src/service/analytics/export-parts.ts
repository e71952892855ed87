import { Buckets } from './buckets.ts';
import { EventQuery } from './event-query.ts';
import type { QueryContext } from './query-context.ts';
import { ROW_COUNT } from './shard-aggregate.ts';
import type { TimeRange } from './time-range.ts';

const MINUTE = 60;

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

/**
 * Divides the time of the selected events into parts, in order, with about `size` events each. A minute is never divided,
 * so a part may have more. Times without events may be in no part.
 *
 * @throws {QueryError} for an invalid filter, or for a type error that any of the events raises
 */
export async function listExportParts(
  scope: QueryContext,
  request: ExportRequest,
  size: number,
): Promise<readonly TimeRange[]> {
  const { events, where } = request;
  const span = getExportSpan(request, scope.timeZone);
  const query = new EventQuery(scope, { events, where, span });
  query.define('cut', `SELECT floor("time" / ${MINUTE}) AS minute FROM selected`);
  query.group('minutes', { from: 'cut', keys: ['minute'], values: { amount: ROW_COUNT } });
  query.derive('totals', 'SELECT minute, sum(amount) OVER (ORDER BY minute) AS total FROM minutes');
  query.derive('parts', `SELECT min(minute) AS begun FROM totals GROUP BY floor(total / ${size})`);
  const rows = await query.rows('SELECT begun FROM parts ORDER BY begun');
  const starts = rows.map(({ begun }) => Math.max(span.from, Number(begun) * MINUTE));
  return starts.map((from, index) => ({ ...span, from, to: starts[index + 1] ?? span.to }));
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
