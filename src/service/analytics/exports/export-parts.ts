import { type ExportRequest, getExportSpan } from '../../../queries/export-span.ts';
import type { TimeRange } from '../../../queries/time-range.ts';
import { EventQuery } from '../sql/event-query.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { ROW_COUNT } from '../sql/shard-aggregate.ts';

const MINUTE = 60;

/**
 * Divides the time of the selected events into parts, in order, with about `size` events each. A minute is never divided,
 * so a part may have more. Times without events may be in no part.
 *
 * @throws {QueryError} for an invalid filter, or for a type error that any of the events raises
 */
export async function listExportParts(
  context: QueryContext,
  request: ExportRequest,
  size: number,
): Promise<readonly TimeRange[]> {
  const { events, where } = request;
  const span = getExportSpan(request, context.timeZone);
  const query = new EventQuery(context, { events, where, span });
  query.define('cut', `SELECT floor("time" / ${MINUTE}) AS minute FROM selected`);
  query.group('minutes', { from: 'cut', keys: ['minute'], values: { amount: ROW_COUNT } });
  query.derive('totals', 'SELECT minute, sum(amount) OVER (ORDER BY minute) AS total FROM minutes');
  query.derive('parts', `SELECT min(minute) AS begun FROM totals GROUP BY floor(total / ${size})`);
  const rows = await query.rows('SELECT begun FROM parts ORDER BY begun');
  const starts = rows.map(({ begun }) => Math.max(span.from, Number(begun) * MINUTE));
  return starts.map((from, index) => ({ ...span, from, to: starts[index + 1] ?? span.to }));
}
