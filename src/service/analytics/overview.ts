import { Temporal } from 'temporal-polyfill';
import { Buckets } from './buckets.ts';
import { EventQuery } from './event-query.ts';
import { queryEvents } from './events.ts';
import { queryNames } from './names.ts';
import type { BucketUnit, DateRange, Overview, OverviewRequest } from './queries.ts';
import type { QueryContext } from './query-context.ts';

/** Days before these, counted from the last, are left out. */
const MAX_YEARS = 20;

/** The share of events that may be before the dates, and after them: a clock that is wrong does not stretch them. */
const STRAY_SHARE = 0.005;

/** The units of the series, each up to a number of days. */
const UNITS: readonly (readonly [BucketUnit, days: number])[] = [
  ['hour', 2],
  ['day', 92],
  ['week', 731],
];

/** Returns the number of events, the dates of nearly all, and the most frequent of them over these dates. */
export async function queryOverview(scope: QueryContext, { limit }: OverviewRequest): Promise<Overview> {
  const dates = await queryDates(scope);
  if (dates === undefined) return { dates, unit: 'hour', buckets: [], events: [] };
  const days = Temporal.PlainDate.from(dates.from).until(dates.to).days + 1;
  const unit = UNITS.find(([, most]) => days <= most)?.[0] ?? 'month';
  const counts = await queryNames(scope, { of: 'events', limit });
  const request = { events: counts.map(({ name }) => name), type: 'general', unit, period: dates } as const;
  const { buckets, series } = await queryEvents(scope, request);
  const events = counts.map(({ name, count }, index) => ({ name, count, values: series[index]?.values ?? [] }));
  return { dates, unit, buckets, events };
}

/** Returns the days of all events but the first and the last few; undefined without events. */
async function queryDates(scope: QueryContext): Promise<DateRange | undefined> {
  const [row] = await new EventQuery(scope, {}).rows('SELECT count(*) AS events, max("time") AS last FROM selected');
  if (Number(row?.events ?? 0) === 0) return undefined;
  const last = Temporal.Instant.fromEpochMilliseconds(Number(row?.last) * 1000)
    .toZonedDateTimeISO(scope.timeZone)
    .toPlainDate();
  const buckets = Buckets.units(
    { from: last.subtract({ years: MAX_YEARS }).toString(), to: last.toString() },
    'day',
    scope.timeZone,
  );
  const query = new EventQuery(scope, { span: buckets });
  query.define('cut', `SELECT ${buckets.sql('"time"', query.dialect)} AS bucket FROM selected`);
  const rows = await query.rows('SELECT bucket, count(*) AS events FROM cut GROUP BY bucket ORDER BY bucket');
  const counts = rows.map(({ bucket, events }) => ({ day: buckets.labels[Number(bucket)], events: Number(events) }));
  const strays = STRAY_SHARE * counts.reduce((sum, { events }) => sum + events, 0);
  const findFirst = (days: typeof counts) => {
    let before = 0;
    for (const { day, events } of days) {
      before += events;
      if (before > strays) return day;
    }
    return undefined;
  };
  const [from, to] = [findFirst(counts), findFirst(counts.toReversed())];
  return from === undefined || to === undefined ? undefined : { from, to };
}
