import { Temporal } from 'temporal-polyfill';
import { compareStrings } from '../../lang/value.ts';
import { assertAnswerSize } from './answer-limits.ts';
import { Buckets } from './buckets.ts';
import { EventQuery } from './event-query.ts';
import type { EventNamesRequest, EventsRequest, Series, TopEvent, TopEventsRequest } from './queries.ts';
import type { QueryContext } from './query-context.ts';
import { AMOUNTS, COUNTS, collectSeries, divideOrZero, getCount } from './query-series.ts';

/** How many days of names there are. */
const RECENT_DAYS = 31;

/** How often events were done. */
export async function queryEvents(scope: QueryContext, request: EventsRequest): Promise<Series> {
  const { type, unit, period } = request;
  const names = [...new Set(request.events)];
  const buckets = Buckets.of(period, unit, scope);
  assertAnswerSize(names.length * buckets.labels.length);
  const question = new EventQuery(scope, { events: names, span: buckets });
  question.define(
    'cut',
    `SELECT ${buckets.sql('"time"', question.dialect)} AS bucket, event AS segment, distinct_id FROM selected`,
  );
  const rows = question.stream(`SELECT bucket, segment, ${COUNTS[type]} FROM cut GROUP BY bucket, segment`);
  const found = new Map((await collectSeries(rows, buckets, type)).series.map((series) => [series.name, series]));
  const none = buckets.labels.map(() => 0);
  return { buckets: buckets.labels, series: names.map((name) => found.get(name) ?? { name, values: none }) };
}

/** The events that were done most today, and how that compares with yesterday until the same time of day. */
export async function queryTopEvents(
  scope: QueryContext,
  { type, limit }: TopEventsRequest,
): Promise<readonly TopEvent[]> {
  const days = Buckets.latest(2, 'day', scope.timeZone, scope.now);
  const question = new EventQuery(scope, { span: days });
  const bucket = days.sql('"time"', question.dialect);
  question.define('cut', `SELECT ${bucket} AS bucket, event, distinct_id, "time" FROM selected`);
  question.define('compared', `SELECT * FROM cut WHERE bucket = 1 OR "time" <= ${thisTimeYesterday(scope)}`);
  question.define('cells', `SELECT bucket, event, ${COUNTS[type]} FROM compared GROUP BY bucket, event`);
  question.define(
    'greatest',
    `SELECT event, ${AMOUNTS[type]} AS amount FROM cells WHERE bucket = 1 ORDER BY amount DESC, event LIMIT ${limit}`,
  );
  const rows = await question.rows('SELECT cells.* FROM cells JOIN greatest ON cells.event = greatest.event');
  const amountsOn = (bucket: number) =>
    new Map(rows.filter((row) => row.bucket === bucket).map((row) => [row.event as string, getCount(row, type)]));
  const yesterday = amountsOn(0);
  const today = [...amountsOn(1)].map(([event, amount]) => {
    const before = yesterday.get(event) ?? 0;
    return { event, amount, percentChange: divideOrZero(amount - before, before) };
  });
  return today.sort((left, right) => right.amount - left.amount || compareStrings(left.event, right.event));
}

/** When clocks showed, a day before, the minute that they show now: Unix seconds, the earlier of two such times. */
function thisTimeYesterday({ timeZone, now }: QueryContext): number {
  const minute = Temporal.Instant.fromEpochMilliseconds((now - (now % 60)) * 1000).toZonedDateTimeISO(timeZone);
  return minute.subtract({ days: 1 }).epochMilliseconds / 1000;
}

/** The names of the events that were most frequent of late. */
export async function queryEventNames(
  scope: QueryContext,
  { type, limit }: EventNamesRequest,
): Promise<readonly string[]> {
  const days = Buckets.latest(RECENT_DAYS, 'day', scope.timeZone, scope.now);
  const question = new EventQuery(scope, { span: days });
  question.define('counted', `SELECT event, ${COUNTS[type]} FROM selected GROUP BY event`);
  const rows = await question.rows(
    `SELECT event FROM (SELECT event, ${AMOUNTS[type]} AS amount FROM counted) AS amounts ORDER BY amount DESC, event LIMIT ${limit}`,
  );
  const names = rows.map(({ event }) => event as string);
  return names.sort((left, right) => compareStrings(right, left));
}
