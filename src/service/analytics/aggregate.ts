import { Buckets } from './buckets.ts';
import { EventQuery } from './event-query.ts';
import type { AggregateRequest, Series } from './queries.ts';
import type { QueryContext } from './query-context.ts';
import { getSqlFunctions } from './sql-functions.ts';

/** By this, so many of the greatest doubles as there can be events have a sum. Only numbers below 1e-288 lose digits by it. */
const SCALE = 2 ** -64;

/** The sum, or the mean, of a number over the events of each bucket. */
export async function queryAggregate(scope: QueryContext, request: AggregateRequest): Promise<Series> {
  const { event, dates, unit, on, where } = request;
  const buckets = Buckets.units(dates, unit, scope.timeZone);
  const filter = { events: [event], span: buckets, where };
  const question = new EventQuery(scope, filter, { value: { use: 'number', expression: on } });
  question.define('cut', `SELECT ${buckets.sql('"time"', question.dialect)} AS bucket, value FROM selected`);
  const { sum } = getSqlFunctions(question.dialect);
  const sums = `${sum('value')} AS total, ${sum(`value * ${SCALE}`)} AS scaled`;
  question.define('sums', `SELECT bucket, ${sums}, count(*) AS events FROM cut GROUP BY bucket`);
  // What has become infinite on the way may be finite in the end. JSON can write neither infinity nor NaN.
  const rows = await question.rows(
    'SELECT bucket, CASE WHEN total - total = 0 THEN total END AS total, scaled, events FROM sums',
  );
  const values = buckets.labels.map(() => 0);
  for (const { bucket, total, scaled, events } of rows) {
    const divisor = request.aggregate === 'sum' ? 1 : Number(events);
    values[Number(bucket)] = total === null ? Number(scaled) / divisor / SCALE : Number(total) / divisor;
  }
  return { buckets: buckets.labels, series: [{ name: event, values }] };
}
