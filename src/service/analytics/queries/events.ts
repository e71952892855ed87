import { Temporal } from 'temporal-polyfill';
import { compareStrings } from '../../../lang/value.ts';
import { assertAnswerSize } from '../../../queries/answer-limits.ts';
import { Buckets } from '../../../queries/buckets.ts';
import type {
  EventNamesRequest,
  EventsRequest,
  Series,
  TopEvent,
  TopEventsRequest,
} from '../../../queries/requests.ts';
import { EventQuery } from '../sql/event-query.ts';
import { lowerBucket } from '../sql/lower-bucket.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { AMOUNTS, collectSeries, divideOrZero, getCount, isCountOfHours, listCounts } from './query-series.ts';

/** The number of days whose event names are listed. */
const RECENT_DAYS = 31;

/** Counts events in each bucket. */
export async function queryEvents(context: QueryContext, request: EventsRequest): Promise<Series> {
  const { type, unit, period } = request;
  const names = [...new Set(request.events)];
  const buckets = Buckets.of(period, unit, context);
  assertAnswerSize(names.length * buckets.labels.length);
  const query = new EventQuery(context, {
    events: names,
    span: buckets,
    countsHours: isCountOfHours(type, buckets),
  });
  query.define(
    'cut',
    `SELECT ${lowerBucket(buckets, '"time"', query.dialect)} AS bucket, event AS segment, ${query.unit} FROM selected`,
  );
  query.group('cells', { from: 'cut', keys: ['bucket', 'segment'], values: listCounts(query, type) });
  const found = new Map(
    (await collectSeries(query.stream('SELECT * FROM cells'), buckets, type)).series.map((series) => [
      series.name,
      series,
    ]),
  );
  const none = buckets.labels.map(() => 0);
  return { buckets: buckets.labels, series: names.map((name) => found.get(name) ?? { name, values: none }) };
}

/** Returns the most frequent events of today and their change from yesterday up to the same time of day. */
export async function queryTopEvents(
  context: QueryContext,
  { type, limit }: TopEventsRequest,
): Promise<readonly TopEvent[]> {
  const days = Buckets.latest(2, 'day', context.timeZone, context.now);
  const query = new EventQuery(context, { span: days });
  const bucket = lowerBucket(days, '"time"', query.dialect);
  query.define('cut', `SELECT ${bucket} AS bucket, event, distinct_id, "time" FROM selected`);
  query.define('compared', `SELECT * FROM cut WHERE bucket = 1 OR "time" <= ${getThisTimeYesterday(context)}`);
  query.group('cells', { from: 'compared', keys: ['bucket', 'event'], values: listCounts(query, type) });
  query.derive(
    'top',
    `SELECT event, ${AMOUNTS[type]} AS amount FROM cells WHERE bucket = 1 ORDER BY amount DESC, event LIMIT ${limit}`,
  );
  const rows = await query.rows('SELECT cells.* FROM cells JOIN top ON cells.event = top.event');
  const amountsOn = (bucket: number) =>
    new Map(rows.filter((row) => row.bucket === bucket).map((row) => [row.event as string, getCount(row, type)]));
  const yesterday = amountsOn(0);
  const today = [...amountsOn(1)].map(([event, amount]) => {
    const before = yesterday.get(event) ?? 0;
    return { event, amount, percentChange: divideOrZero(amount - before, before) };
  });
  return today.sort((left, right) => right.amount - left.amount || compareStrings(left.event, right.event));
}

/** Returns when clocks showed the current minute a day before, in Unix seconds; the earlier of two such times. */
function getThisTimeYesterday({ timeZone, now }: QueryContext): number {
  const minute = Temporal.Instant.fromEpochMilliseconds((now - (now % 60)) * 1000).toZonedDateTimeISO(timeZone);
  return minute.subtract({ days: 1 }).epochMilliseconds / 1000;
}

/** Returns the names of the most frequent events of the last 31 days, in descending order. */
export async function queryEventNames(
  context: QueryContext,
  { type, limit }: EventNamesRequest,
): Promise<readonly string[]> {
  const days = Buckets.latest(RECENT_DAYS, 'day', context.timeZone, context.now);
  const query = new EventQuery(context, { span: days, countsHours: isCountOfHours(type, days) });
  query.group('counted', { from: 'selected', keys: ['event'], values: listCounts(query, type) });
  const rows = await query.rows(
    `SELECT event FROM (SELECT event, ${AMOUNTS[type]} AS amount FROM counted) AS amounts ORDER BY amount DESC, event LIMIT ${limit}`,
  );
  const names = rows.map(({ event }) => event as string);
  return names.sort((left, right) => compareStrings(right, left));
}
