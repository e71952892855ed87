import { Buckets } from '../../../queries/buckets.ts';
import type { SegmentationRequest, Series } from '../../../queries/requests.ts';
import { EventQuery } from '../sql/event-query.ts';
import { lowerBucket } from '../sql/lower-bucket.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { getCount, isCountOfHours, listCounts, querySeries } from './query-series.ts';

/** Counts an event, in total or in each of the top segments. */
export async function querySegmentation(context: QueryContext, request: SegmentationRequest): Promise<Series> {
  const { event, dates, type, unit, interval, on, where, limit } = request;
  const buckets =
    interval === undefined
      ? Buckets.units(dates, unit, context.timeZone)
      : Buckets.days(dates, interval, context.timeZone);
  const filter = { events: [event], span: buckets, where, countsHours: isCountOfHours(type, buckets) };
  if (on !== undefined) {
    const query = new EventQuery(context, filter, { segment: { use: 'on', expression: on } });
    return querySeries(query, { buckets, type, on: 'segment', limit });
  }
  const query = new EventQuery(context, filter);
  query.define('cut', `SELECT ${lowerBucket(buckets, '"time"', query.dialect)} AS bucket, ${query.unit} FROM selected`);
  query.group('cells', { from: 'cut', keys: ['bucket'], values: listCounts(query, type) });
  const rows = await query.rows('SELECT * FROM cells');
  const values = buckets.labels.map(() => 0);
  for (const row of rows) values[Number(row.bucket)] = getCount(row, type);
  return { buckets: buckets.labels, series: [{ name: event, values }] };
}
