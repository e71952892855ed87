import { Buckets } from './buckets.ts';
import { EventQuery } from './event-query.ts';
import type { Addiction, AddictionRequest, ByDate } from './queries.ts';
import { ALL_USERS, queryByDate } from './query-by-date.ts';
import type { QueryContext } from './query-context.ts';

/** How often users come within a period. */
export async function queryAddiction(scope: QueryContext, request: AddictionRequest): Promise<ByDate<Addiction>> {
  const { dates, unit, addictionUnit, event, where, on, limit } = request;
  const periods = Buckets.units(dates, unit, scope.timeZone);
  const units = Buckets.units(dates, addictionUnit, scope.timeZone);
  const question = new EventQuery(
    scope,
    { events: event === undefined ? undefined : [event], span: periods, where },
    on === undefined ? {} : { segment: { use: 'on', expression: on } },
  );
  const { dialect } = question;
  const columns = [
    'distinct_id',
    `${periods.sql('"time"', dialect)} AS bucket`,
    `${units.sql('"time"', dialect)} AS unit`,
    `${on === undefined ? ALL_USERS : question.segmentOf('segment')} AS name`,
  ];
  question.define('done', `SELECT ${columns.join(', ')} FROM selected`);
  question.define('distinct_units', 'SELECT DISTINCT * FROM done');
  question.define(
    'habits',
    'SELECT bucket, name, count(*) AS units FROM distinct_units GROUP BY distinct_id, bucket, name',
  );
  question.define(
    'cells',
    'SELECT bucket, name AS segment, units, count(*) AS users FROM habits GROUP BY bucket, name, units',
  );
  const numbersOf = (date: string) => daysOf(date, unit) * (addictionUnit === 'hour' ? 24 : 1);
  const { overall, segments } = await queryByDate(question, {
    buckets: periods,
    on,
    by: 'users',
    limit,
    size: periods.labels.reduce((sum, date) => sum + numbersOf(date), 0),
    summaryOf: (rows, date) =>
      Array.from({ length: numbersOf(date) }, (_, index) =>
        rows.reduce((sum, { units, users }) => sum + (Number(units) > index ? Number(users) : 0), 0),
      ),
  });
  return { dates: periods.labels, ...(on === undefined ? { overall } : { segments }) };
}

/** How many days the period has that begins with a day. */
function daysOf(date: string, unit: AddictionRequest['unit']): number {
  if (unit !== 'month') return unit === 'day' ? 1 : 7;
  const [year, month] = date.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
