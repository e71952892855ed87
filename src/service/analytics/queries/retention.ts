import { limitSeries } from '../../../queries/answer-limits.ts';
import { Buckets } from '../../../queries/buckets.ts';
import { QueryError } from '../../../queries/errors.ts';
import type { ByDate, Cohort, RetentionRequest } from '../../../queries/requests.ts';
import { lowerTimeRange } from '../../../queries/time-range.ts';
import type { JsonSqlRow } from '../../store/store-snapshot.ts';
import { EventQuery } from '../sql/event-query.ts';
import { lowerBucket } from '../sql/lower-bucket.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { ROW_COUNT, type ShardAggregate, USER_COUNT } from '../sql/shard-aggregate.ts';
import { getSqlFunctions } from '../sql/sql-functions.ts';
import { ALL_USERS, queryByDate } from './query-by-date.ts';

/** The interval number under which all users of a cohort are counted. */
const COHORT = -1;

/** Counts the users of each cohort who come back. */
export async function queryRetention(context: QueryContext, request: RetentionRequest): Promise<ByDate<Cohort>> {
  const { type, dates, bucket, intervalCount, on, limit } = request;
  const buckets = Buckets.by(dates, bucket, context.timeZone);
  const counted = buckets.continued(intervalCount);
  const query =
    type === 'birth' ? defineBirths(context, request, buckets, counted) : defineAll(context, request, buckets, counted);
  const { overall, segments } = await queryByDate(query, {
    buckets,
    on,
    by: 'users',
    limit,
    size: countValues(buckets, request),
    summaryOf: ([row]) => toCohort(row, intervalCount),
  });
  return { dates: buckets.labels, ...(on === undefined ? { overall } : { segments }) };
}

/** Defines the users born within the dates, and when they came back. */
function defineBirths(
  context: QueryContext,
  request: RetentionRequest,
  buckets: Buckets,
  counted: Buckets,
): EventQuery {
  const { bornEvent, bornWhere, event, where, on } = request;
  if (bornEvent === undefined) throw new QueryError('parameter', 'Missing required parameter: born_event');
  const query = new EventQuery(
    context,
    // Each column reads its own events, which is cheaper than searching both twice.
    {},
    {
      // Earlier events only tell whether one in the dates is the first.
      born: {
        use: 'where',
        event: bornEvent,
        expression: bornWhere,
        span: { from: 0, to: buckets.to },
        raises: buckets,
      },
      back: { use: 'where', event, expression: where, span: counted },
      ...(on !== undefined && { segment: { use: 'on', expression: on, span: buckets, given: 'born' } }),
    },
  );
  query.define('births', lowerFirstEvents(query, 'selected WHERE born', ['distinct_id'], on));
  const bucket = lowerBucket(buckets, 'since', query.dialect);
  defineCohorts(
    query,
    request,
    buckets,
    `SELECT distinct_id, since, ${bucket} AS bucket, ${lowerSegment(query, on)} AS segment
    FROM births WHERE ${lowerTimeRange(buckets, 'since').join(' AND ')}`,
  );
  const cameIn = lowerBucket(counted, '"time"', query.dialect);
  query.define('returns', `SELECT distinct_id AS user_id, "time", ${cameIn} AS came_in FROM selected WHERE back`);
  query.define(
    'returned',
    `SELECT bucket, segment, came_in - bucket AS interval_number, distinct_id
    FROM cohorts JOIN returns ON user_id = distinct_id WHERE "time" >= since AND ${lowerIsInInterval(request)}`,
  );
  defineCells(query, USER_COUNT);
  return query;
}

/** Defines the users who come in each bucket, and the buckets in which they come back. */
function defineAll(context: QueryContext, request: RetentionRequest, buckets: Buckets, counted: Buckets): EventQuery {
  const { event, where, on } = request;
  const query = new EventQuery(
    context,
    { events: event === undefined ? undefined : [event], span: counted, where },
    on === undefined ? {} : { segment: { use: 'on', expression: on, span: buckets } },
  );
  query.define('events', `SELECT *, ${lowerBucket(counted, '"time"', query.dialect)} AS bucket FROM selected`);
  const isInDates = lowerTimeRange(buckets).join(' AND ');
  query.define('entries', lowerFirstEvents(query, `events WHERE ${isInDates}`, ['distinct_id', 'bucket'], on));
  // The intervals of a cohort span two stretches of as many buckets. Returns in other stretches are skipped.
  const stretch = getSqlFunctions(query.dialect).quotient('bucket', request.intervalCount + 1);
  defineCohorts(
    query,
    request,
    buckets,
    `SELECT distinct_id, bucket, ${stretch} AS stretch, ${lowerSegment(query, on)} AS segment FROM entries`,
  );
  query.define(
    'watched',
    'SELECT distinct_id, bucket, segment, stretch + ahead AS looked_at FROM cohorts CROSS JOIN (SELECT 0 AS ahead UNION ALL SELECT 1) AS stretches',
  );
  query.define(
    'returns',
    `SELECT DISTINCT distinct_id AS user_id, bucket AS came_in, ${stretch} AS stretch FROM events`,
  );
  query.define(
    'returned',
    `SELECT bucket, segment, came_in - bucket AS interval_number
    FROM watched JOIN returns ON user_id = distinct_id AND stretch = looked_at WHERE ${lowerIsInInterval(request)}`,
  );
  defineCells(query, ROW_COUNT);
  return query;
}

/** Returns SQL that tests whether a bucket is one of the intervals of a cohort. */
function lowerIsInInterval({ intervalCount }: RetentionRequest): string {
  return `came_in >= bucket AND came_in <= bucket + ${intervalCount}`;
}

/** Returns SQL for a row for each segment of a user, or for all users without `on`. */
function lowerSegment(query: EventQuery, on: string | undefined): string {
  return on === undefined ? ALL_USERS : query.segmentOf('segment');
}

/**
 * Defines the members of the cohorts. With `on`, only those of the top segments, so that other returns need not be
 * counted. A shard does not know the top segments of all shards and counts all.
 */
function defineCohorts(query: EventQuery, request: RetentionRequest, buckets: Buckets, members: string): void {
  if (request.on === undefined || query.isSharded) {
    query.define('cohorts', members);
    return;
  }
  const maxSegments = limitSeries(request.limit, countValues(buckets, request));
  query.define('members', members);
  query.define(
    'top',
    `SELECT segment AS kept FROM members GROUP BY segment ORDER BY count(*) DESC, segment LIMIT ${maxSegments}`,
  );
  query.define('cohorts', 'SELECT members.* FROM members JOIN top ON segment = kept');
}

/** Returns the number of values of a segment in the answer. */
function countValues({ labels }: Buckets, { intervalCount }: RetentionRequest): number {
  return labels.length * (intervalCount + 2);
}

/**
 * Defines the number of `users` of each bucket and segment, and the users who came in each interval.
 *
 * @param users counts those of the table `returned`
 */
function defineCells(query: EventQuery, users: ShardAggregate): void {
  const { gathered } = getSqlFunctions(query.dialect);
  const keys = ['bucket', 'segment'];
  query.group('counted', { from: 'returned', keys: [...keys, 'interval_number'], values: { number: users } });
  query.group('sizes', { from: 'cohorts', keys, values: { number: ROW_COUNT } });
  query.derive(
    'numbered',
    `SELECT bucket, segment, interval_number, CAST(number AS BIGINT) AS number FROM counted
    UNION ALL SELECT bucket, segment, ${COHORT} AS interval_number, CAST(number AS BIGINT) AS number FROM sizes`,
  );
  query.derive(
    'cells',
    `SELECT bucket, segment, sum(CASE WHEN interval_number = ${COHORT} THEN number ELSE 0 END) AS users,
      ${gathered('[interval_number, number]')} AS numbers
    FROM numbered GROUP BY bucket, segment`,
  );
}

function toCohort(row: JsonSqlRow | undefined, intervalCount: number): Cohort {
  const counts = new Array<number>(intervalCount + 1).fill(0);
  for (const [interval, number] of (row?.numbers ?? []) as readonly (readonly [unknown, unknown])[])
    if (Number(interval) !== COHORT) counts[Number(interval)] = Number(number);
  return { first: Number(row?.users ?? 0), counts };
}

/**
 * Returns SQL for the first event, `since`, of each group. With `on`, also its first segment by name in that second.
 */
function lowerFirstEvents(query: EventQuery, from: string, group: readonly string[], on: string | undefined): string {
  const columns = group.join(', ');
  if (on === undefined) return `SELECT ${columns}, min("time") AS since FROM ${from} GROUP BY ${columns}`;
  const nth = `row_number() OVER (PARTITION BY ${columns} ORDER BY "time", ${query.orderOf('segment')})`;
  return `SELECT ${columns}, since, segment FROM (SELECT ${columns}, "time" AS since, segment, ${nth} AS nth FROM ${from}) AS numbered WHERE nth = 1`;
}
