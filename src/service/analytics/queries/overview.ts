import { Buckets } from '../../../queries/buckets.ts';
import { chooseDates, chooseOverviewUnit, getOverviewRange } from '../../../queries/overview-dates.ts';
import type { DateRange, Overview, OverviewRequest } from '../../../queries/requests.ts';
import { EventQuery } from '../sql/event-query.ts';
import { containHours, lowerBucket } from '../sql/lower-bucket.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { maxOf, ROW_COUNT } from '../sql/shard-aggregate.ts';
import { queryEvents } from './events.ts';
import { queryNames } from './names.ts';

/** Returns the number of events, the dates of nearly all, and the most frequent of them over these dates. */
export async function queryOverview(context: QueryContext, { limit }: OverviewRequest): Promise<Overview> {
  const dates = await queryDates(context);
  if (dates === undefined) return { dates, unit: 'hour', buckets: [], events: [] };
  const unit = chooseOverviewUnit(dates);
  const counts = await queryNames(context, { of: 'events', limit });
  const request = { events: counts.map(({ name }) => name), type: 'general', unit, period: dates } as const;
  const { buckets, series } = await queryEvents(context, request);
  const events = counts.map(({ name, count }, index) => ({ name, count, values: series[index]?.values ?? [] }));
  return { dates, unit, buckets, events };
}

async function queryDates(context: QueryContext): Promise<DateRange | undefined> {
  const all = new EventQuery(context, {});
  all.group('counted', { from: 'selected', keys: [], values: { events: ROW_COUNT, last: maxOf('"time"') } });
  const [row] = await all.rows('SELECT * FROM counted');
  if (Number(row?.events ?? 0) === 0) return undefined;
  const days = Buckets.units(getOverviewRange(Number(row?.last), context.timeZone), 'day', context.timeZone);
  const query = new EventQuery(context, { span: days, countsHours: containHours(days) });
  query.define('cut', `SELECT ${lowerBucket(days, '"time"', query.dialect)} AS bucket, ${query.unit} FROM selected`);
  query.group('counted', { from: 'cut', keys: ['bucket'], values: { events: query.eventCount } });
  const rows = await query.rows('SELECT * FROM counted ORDER BY bucket');
  return chooseDates(
    rows.map(({ bucket, events }) => ({ day: days.labels[Number(bucket)] as string, events: Number(events) })),
  );
}
