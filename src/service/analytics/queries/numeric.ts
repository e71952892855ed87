import { assertAnswerSize } from '../../../queries/answer-limits.ts';
import { Buckets } from '../../../queries/buckets.ts';
import { formatRange } from '../../../queries/range-widths.ts';
import type { NumericRequest, Series } from '../../../queries/requests.ts';
import { EventQuery } from '../sql/event-query.ts';
import { lowerBucket } from '../sql/lower-bucket.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { maxOf, minOf } from '../sql/shard-aggregate.ts';
import { lowerRangeNumber, lowerRangeWidth } from './numeric-ranges.ts';
import { divideOrZero, getCount, listCounts } from './query-series.ts';

/** Counts an event in each range of a number. Values that are not numbers are in no range. */
export async function queryNumericRanges(context: QueryContext, request: NumericRequest): Promise<Series> {
  const { event, dates, type, unit, on, where } = request;
  const days = Buckets.units(dates, unit, context.timeZone);
  const query = new EventQuery(
    context,
    { events: [event], span: days, where },
    { value: { use: 'number or null', expression: on } },
  );
  const bucket = lowerBucket(days, '"time"', query.dialect);
  // A named subquery is computed once for both tables that read it.
  const users = type === 'general' ? '' : ', distinct_id';
  query.define('numbers', `SELECT ${bucket} AS bucket, value${users} FROM selected`);
  query.group('extent', { from: 'numbers', keys: [], values: { least: minOf('value'), greatest: maxOf('value') } });
  await query.share('chosen', 'width', lowerRangeWidth(query.dialect, 'extent', request.buckets));
  query.define(
    'ranged',
    `SELECT bucket, ${lowerRangeNumber('value', 'width')} AS range_number, width${users} FROM numbers CROSS JOIN chosen WHERE value IS NOT NULL`,
  );
  query.group('cells', {
    from: 'ranged',
    keys: ['bucket', 'range_number'],
    values: { width: maxOf('width'), ...listCounts(query, type) },
  });
  const rows = query.stream('SELECT * FROM cells');
  const none = () => days.labels.map(() => 0);
  const found = new Map<number, number[]>();
  let width = 1;
  for await (const some of rows) {
    for (const row of some) {
      const range = Number(row.range_number);
      const values = found.get(range) ?? none();
      if (!found.has(range)) assertAnswerSize(found.set(range, values).size * days.labels.length);
      width = Number(row.width);
      values[Number(row.bucket)] =
        type === 'average' ? divideOrZero(Number(row.users), Number(row.events)) : getCount(row, type);
    }
  }
  const first = [...found.keys()].reduce((min, range) => Math.min(min, range), Number.POSITIVE_INFINITY);
  const last = [...found.keys()].reduce((max, range) => Math.max(max, range), Number.NEGATIVE_INFINITY);
  const ranges = Math.max(0, last - first + 1);
  assertAnswerSize(ranges * days.labels.length);
  const series = Array.from({ length: ranges }, (_, index) => ({
    name: formatRange(BigInt(first) + BigInt(index), width),
    values: found.get(first + index) ?? none(),
  }));
  return { buckets: days.labels, series };
}
