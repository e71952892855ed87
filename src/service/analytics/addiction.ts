import { Buckets } from './buckets.ts';
import { countDays } from './count-days.ts';
import { EventQuery } from './event-query.ts';
import type { Addiction, AddictionRequest, ByDate } from './queries.ts';
import { ALL_USERS, queryByDate } from './query-by-date.ts';
import type { QueryContext } from './query-context.ts';
import { ROW_COUNT } from './shard-aggregate.ts';

/** Returns how many users did an event in at least n units of each period. */
export async function queryAddiction(scope: QueryContext, request: AddictionRequest): Promise<ByDate<Addiction>> {
  const { dates, unit, addictionUnit, event, where, on, limit } = request;
  const periods = Buckets.units(dates, unit, scope.timeZone);
  const units = Buckets.units(dates, addictionUnit, scope.timeZone);
  const query = new EventQuery(
    scope,
    { events: event === undefined ? undefined : [event], span: periods, where },
    on === undefined ? {} : { segment: { use: 'on', expression: on } },
  );
  const { dialect } = query;
  const columns = [
    'distinct_id',
    // All events are in a single period. Computing it for each takes a sixth of the query.
    `${periods.labels.length === 1 ? '0' : periods.sql('"time"', dialect)} AS bucket`,
    `${units.sql('"time"', dialect)} AS unit`,
    `${on === undefined ? ALL_USERS : query.segmentOf('segment')} AS name`,
  ];
  query.define('done', `SELECT ${columns.join(', ')} FROM selected`);
  query.define('distinct_units', 'SELECT DISTINCT * FROM done');
  query.define(
    'habits',
    'SELECT bucket, name AS segment, count(*) AS units FROM distinct_units GROUP BY distinct_id, bucket, name',
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
