import { Buckets } from '../../../queries/buckets.ts';
import type { AggregateRequest, Series } from '../../../queries/requests.ts';
import { EventQuery } from '../sql/event-query.ts';
import { lowerBucket } from '../sql/lower-bucket.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { ROW_COUNT, sumOf } from '../sql/shard-aggregate.ts';

/**
 * Scales numbers down so that the sum of as many maximal doubles as there can be events is finite. Only numbers below
 * 1e-288 lose digits.
 */
const SCALE = 2 ** -64;

/** Returns the sum or the mean of a number over the events of each bucket. */
export async function queryAggregate(context: QueryContext, request: AggregateRequest): Promise<Series> {
  const { event, dates, unit, on, where } = request;
  const buckets = Buckets.units(dates, unit, context.timeZone);
  const filter = { events: [event], span: buckets, where };
  const query = new EventQuery(context, filter, { value: { use: 'number', expression: on } });
  query.define('cut', `SELECT ${lowerBucket(buckets, '"time"', query.dialect)} AS bucket, value FROM selected`);
  const { dialect } = query;
  query.group('sums', {
    from: 'cut',
    keys: ['bucket'],
    values: { total: sumOf(dialect, 'value'), scaled: sumOf(dialect, `value * ${SCALE}`), events: ROW_COUNT },
  });
  // An overflowed total may still have a finite mean. JSON can write neither infinity nor NaN.
  const rows = await query.rows(
    'SELECT bucket, CASE WHEN total - total = 0 THEN total END AS total, scaled, events FROM sums',
  );
  const values = buckets.labels.map(() => 0);
  for (const { bucket, total, scaled, events } of rows) {
    const divisor = request.aggregate === 'sum' ? 1 : Number(events);
    values[Number(bucket)] = total === null ? Number(scaled) / divisor / SCALE : Number(total) / divisor;
  }
  return { buckets: buckets.labels, series: [{ name: event, values }] };
}
