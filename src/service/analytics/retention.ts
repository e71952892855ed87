import type { JsonSqlRow } from '../store/store-snapshot.ts';
import { limitSeries } from './answer-limits.ts';
import { Buckets } from './buckets.ts';
import { QueryError } from './errors.ts';
import { EventQuery } from './event-query.ts';
import type { ByDate, Cohort, RetentionRequest } from './queries.ts';
import { ALL_USERS, queryByDate } from './query-by-date.ts';
import type { QueryContext } from './query-context.ts';
import { getSqlFunctions } from './sql-functions.ts';
import { lowerTimeRange } from './time-range.ts';

/** The number of the interval that all users of a cohort are counted under. */
const COHORT = -1;

/** How many users come back. */
export async function queryRetention(scope: QueryContext, request: RetentionRequest): Promise<ByDate<Cohort>> {
  const { type, dates, bucket, intervalCount, on, limit } = request;
  const buckets = Buckets.by(dates, bucket, scope.timeZone);
  const looked = buckets.continued(intervalCount);
  const question =
    type === 'birth' ? askBirths(scope, request, buckets, looked) : askAll(scope, request, buckets, looked);
  const { overall, segments } = await queryByDate(question, {
    buckets,
    on,
    by: 'users',
    limit,
    size: numbersEach(buckets, request),
    summaryOf: ([row]) => cohortOf(row, intervalCount),
  });
  return { dates: buckets.labels, ...(on === undefined ? { overall } : { segments }) };
}

/** Those who were born within the dates, and when they came since. */
function askBirths(scope: QueryContext, request: RetentionRequest, buckets: Buckets, looked: Buckets): EventQuery {
  const { bornEvent, bornWhere, event, where, on } = request;
  if (bornEvent === undefined) throw new QueryError('parameter', 'Missing required parameter: born_event');
  const question = new EventQuery(
    scope,
    // Each of the parts reads its own events, which costs less than to look for both twice.
    {},
    {
      born: { use: 'where', event: bornEvent, expression: bornWhere, span: { from: 0, to: buckets.to } },
      back: { use: 'where', event, expression: where, span: looked },
      ...(on !== undefined && { segment: { use: 'on', expression: on, given: 'born' } }),
    },
  );
  question.define('births', firstOf(question, 'selected WHERE born', ['distinct_id'], on));
  const bucket = buckets.sql('since', question.dialect);
  defineCohorts(
    question,
    request,
    buckets,
    `SELECT distinct_id, since, ${bucket} AS bucket, ${segmentIn(question, on)} AS segment
    FROM births WHERE ${lowerTimeRange(buckets, 'since').join(' AND ')}`,
  );
  const cameIn = looked.sql('"time"', question.dialect);
  question.define('returns', `SELECT distinct_id AS user_id, "time", ${cameIn} AS came_in FROM selected WHERE back`);
  // Clocks that go back may show a day before that of the birth.
  question.define(
    'counted',
    `SELECT bucket, segment, came_in - bucket AS interval_number, count(DISTINCT distinct_id) AS number
    FROM cohorts JOIN returns ON user_id = distinct_id
    WHERE "time" >= since AND ${isWatched(request)} GROUP BY bucket, segment, interval_number`,
  );
  defineCells(question);
  return question;
}

/** Those who come in each bucket of the dates, and the buckets that they come in from then on. */
function askAll(scope: QueryContext, request: RetentionRequest, buckets: Buckets, looked: Buckets): EventQuery {
  const { event, where, on } = request;
  const question = new EventQuery(
    scope,
    { events: event === undefined ? undefined : [event], span: looked, where },
    on === undefined ? {} : { segment: { use: 'on', expression: on, span: buckets } },
  );
  question.define('events', `SELECT *, ${looked.sql('"time"', question.dialect)} AS bucket FROM selected`);
  const isInDates = lowerTimeRange(buckets).join(' AND ');
  question.define('entries', firstOf(question, `events WHERE ${isInDates}`, ['distinct_id', 'bucket'], on));
  // The intervals of a cohort are in two stretches of as many buckets: whoever came in others is not looked at.
  const stretch = getSqlFunctions(question.dialect).quotient('bucket', request.intervalCount + 1);
  defineCohorts(
    question,
    request,
    buckets,
    `SELECT distinct_id, bucket, ${stretch} AS stretch, ${segmentIn(question, on)} AS segment FROM entries`,
  );
  question.define(
    'watched',
    'SELECT distinct_id, bucket, segment, stretch + ahead AS looked_at FROM cohorts CROSS JOIN (SELECT 0 AS ahead UNION ALL SELECT 1) AS stretches',
  );
  question.define(
    'returns',
    `SELECT DISTINCT distinct_id AS user_id, bucket AS came_in, ${stretch} AS stretch FROM events`,
  );
  question.define(
    'counted',
    `SELECT bucket, segment, came_in - bucket AS interval_number, count(*) AS number
    FROM watched JOIN returns ON user_id = distinct_id AND stretch = looked_at
    WHERE ${isWatched(request)} GROUP BY bucket, segment, interval_number`,
  );
  defineCells(question);
  return question;
}

/** That a bucket is one of the intervals of a cohort. */
function isWatched({ intervalCount }: RetentionRequest): string {
  return `came_in >= bucket AND came_in <= bucket + ${intervalCount}`;
}

/** A row for each segment that a user is in; for all users, where nobody asks for segments. */
function segmentIn(question: EventQuery, on: string | undefined): string {
  return on === undefined ? ALL_USERS : question.segmentOf('segment');
}

/** Names who is in a cohort; with `on`, of those of the greatest segments only, so that the returns of others need not be counted. */
function defineCohorts(question: EventQuery, request: RetentionRequest, buckets: Buckets, members: string): void {
  if (request.on === undefined) {
    question.define('cohorts', members);
    return;
  }
  const most = limitSeries(request.limit, numbersEach(buckets, request));
  question.define('members', members);
  question.define(
    'greatest',
    `SELECT segment AS kept FROM members GROUP BY segment ORDER BY count(*) DESC, segment LIMIT ${most}`,
  );
  question.define('cohorts', 'SELECT members.* FROM members JOIN greatest ON segment = kept');
}

/** How many numbers a segment has in the answer. */
function numbersEach({ labels }: Buckets, { intervalCount }: RetentionRequest): number {
  return labels.length * (intervalCount + 2);
}

/** Names how many `users` each bucket and segment has, and the intervals in which any of them came, each with their number. */
function defineCells(question: EventQuery): void {
  const { gathered } = getSqlFunctions(question.dialect);
  question.define(
    'numbered',
    `SELECT bucket, segment, interval_number, CAST(number AS BIGINT) AS number FROM counted
    UNION ALL SELECT bucket, segment, ${COHORT} AS interval_number, CAST(count(*) AS BIGINT) AS number FROM cohorts GROUP BY bucket, segment`,
  );
  question.define(
    'cells',
    `SELECT bucket, segment, sum(CASE WHEN interval_number = ${COHORT} THEN number ELSE 0 END) AS users,
      ${gathered('[interval_number, number]')} AS numbers
    FROM numbered GROUP BY bucket, segment`,
  );
}

function cohortOf(row: JsonSqlRow | undefined, intervalCount: number): Cohort {
  const counts = new Array<number>(intervalCount + 1).fill(0);
  for (const [interval, number] of (row?.numbers ?? []) as readonly (readonly [unknown, unknown])[])
    if (Number(interval) !== COHORT) counts[Number(interval)] = Number(number);
  return { first: Number(row?.users ?? 0), counts };
}

/** The first event, `since`, of each group; with `on` its segments, the least where there are several at the same second. */
function firstOf(question: EventQuery, from: string, group: readonly string[], on: string | undefined): string {
  const columns = group.join(', ');
  if (on === undefined) return `SELECT ${columns}, min("time") AS since FROM ${from} GROUP BY ${columns}`;
  const nth = `row_number() OVER (PARTITION BY ${columns} ORDER BY "time", ${question.orderOf('segment')})`;
  return `SELECT ${columns}, since, segment FROM (SELECT ${columns}, "time" AS since, segment, ${nth} AS nth FROM ${from}) AS numbered WHERE nth = 1`;
}
