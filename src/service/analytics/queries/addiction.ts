import { Buckets } from '../../../queries/buckets.ts';
import { countDays } from '../../../queries/count-days.ts';
import type { Addiction, AddictionRequest, ByDate } from '../../../queries/requests.ts';
import { EventQuery } from '../sql/event-query.ts';
import { lowerBucket } from '../sql/lower-bucket.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { ROW_COUNT } from '../sql/shard-aggregate.ts';
import { ALL_USERS, queryByDate } from './query-by-date.ts';

/** Returns how many users did an event in at least n units of each period. */
export async function queryAddiction(context: QueryContext, request: AddictionRequest): Promise<ByDate<Addiction>> {
  const { dates, unit, addictionUnit, event, where, on, limit } = request;
  const periods = Buckets.units(dates, unit, context.timeZone);
  const units = Buckets.units(dates, addictionUnit, context.timeZone);
  const query = new EventQuery(
    context,
    { events: event === undefined ? undefined : [event], span: periods, where },
    on === undefined ? {} : { segment: { use: 'on', expression: on } },
  );
  const { dialect } = query;
  // Values that are the same for all events are left out. As columns, both would take an eighth of the query.
  const columns: Readonly<Record<string, string>> = {
    ...(periods.labels.length > 1 && { bucket: lowerBucket(periods, '"time"', dialect) }),
    ...(on !== undefined && { name: query.segmentOf('segment') }),
  };
  const selected = Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);
  const done = ['distinct_id', `${lowerBucket(units, '"time"', dialect)} AS unit`, ...selected];
  query.define('done', `SELECT ${done.join(', ')} FROM selected`);
  query.define('distinct_units', 'SELECT DISTINCT * FROM done');
  const [bucket, segment] = ['bucket' in columns ? 'bucket' : '0', 'name' in columns ? 'name' : ALL_USERS];
  query.define(
    'habits',
    `SELECT ${bucket} AS bucket, ${segment} AS segment, count(*) AS units FROM distinct_units GROUP BY ${['distinct_id', ...Object.keys(columns)].join(', ')}`,
  );
  query.group('cells', { from: 'habits', keys: ['bucket', 'segment', 'units'], values: { users: ROW_COUNT } });
  const countUnits = (date: string) => countDays(date, unit) * (addictionUnit === 'hour' ? 24 : 1);
  const { overall, segments } = await queryByDate(query, {
    buckets: periods,
    on,
    by: 'users',
    limit,
    size: periods.labels.reduce((sum, date) => sum + countUnits(date), 0),
    summaryOf: (rows, date) =>
      Array.from({ length: countUnits(date) }, (_, index) =>
        rows.reduce((sum, { units, users }) => sum + (Number(units) > index ? Number(users) : 0), 0),
      ),
  });
  return { dates: periods.labels, ...(on === undefined ? { overall } : { segments }) };
}
