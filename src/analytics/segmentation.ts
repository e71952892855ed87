import { Buckets } from './buckets.ts';
import type { SegmentationRequest, Series } from './queries.ts';
import { Question } from './question.ts';
import type { Scope } from './scope.ts';
import { amountOf, COUNTS, segmentSeries } from './segment-series.ts';

/** How often an event was done, altogether or in each of the greatest segments. */
export async function segmentation(scope: Scope, request: SegmentationRequest): Promise<Series> {
  const { event, dates, type, unit, interval, on, where, limit } = request;
  const buckets =
    interval === undefined ? Buckets.units(dates, unit, scope.timeZone) : Buckets.days(dates, interval, scope.timeZone);
  const filter = { events: [event], span: buckets, where };
  if (on !== undefined) {
    const question = new Question(scope, filter, { segment: { use: 'on', expression: on } });
    return segmentSeries(question, { buckets, type, on: 'segment', limit });
  }
  const question = new Question(scope, filter);
  question.define('cut', `SELECT ${buckets.sql('"time"', question.dialect)} AS bucket, distinct_id FROM selected`);
  const rows = await question.rows(`SELECT bucket, ${COUNTS[type]} FROM cut GROUP BY bucket`);
  const values = buckets.labels.map(() => 0);
  for (const row of rows) values[Number(row.bucket)] = amountOf(row, type);
  return { buckets: buckets.labels, series: [{ name: event, values }] };
}
