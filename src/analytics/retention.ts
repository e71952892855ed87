import { Buckets } from './buckets.ts';
import { ALL_USERS, byDate } from './by-date.ts';
import type { ByDate, Cohort, RetentionRequest } from './queries.ts';
import { QueryError } from './query-error.ts';
import { Question } from './question.ts';
import type { Scope } from './scope.ts';
import { within } from './span.ts';
import { sqlFunctions } from './sql-functions.ts';

/** How many bits of a whole number databases have functions for. */
const BITS = 62;

/** How many users come back. */
export async function retention(scope: Scope, request: RetentionRequest): Promise<ByDate<Cohort>> {
  const { type, dates, bucket, intervalCount, on, limit } = request;
  const buckets = Buckets.by(dates, bucket, scope.timeZone);
  const looked = buckets.continued(intervalCount);
  const question =
    type === 'birth' ? askBirths(scope, request, buckets, looked) : askAll(scope, request, buckets, looked);
  const intervals = intervalsOf(request);
  const { overall, segments } = await byDate(question, {
    buckets,
    on,
    by: 'users',
    limit,
    size: buckets.labels.length * (intervals.length + 1),
    summaryOf: ([row]) => ({
      first: Number(row?.users ?? 0),
      counts: intervals.map((interval) => Number(row?.[`came_${interval}`] ?? 0)),
    }),
  });
  return { dates: buckets.labels, ...(on === undefined ? { overall } : { segments }) };
}

/** Those who were born within the dates, and when they came since. */
function askBirths(scope: Scope, request: RetentionRequest, buckets: Buckets, looked: Buckets): Question {
  const { bornEvent, bornWhere, event, where, on } = request;
  if (bornEvent === undefined)
    throw new QueryError('parameter', 'Missing required parameter: born_event', 'born_event');
  const question = new Question(
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
  question.define(
    'cohorts',
    `SELECT distinct_id, since, ${bucket} AS bucket, ${segmentIn(question, on)} AS segment
    FROM births WHERE ${within(buckets, 'since').join(' AND ')}`,
  );
  const cameIn = looked.sql('"time"', question.dialect);
  question.define('returns', `SELECT distinct_id AS user_id, "time", ${cameIn} AS came_in FROM selected WHERE back`);
  // Clocks that go back may show a day before that of the birth.
  question.define(
    'counted',
    `SELECT bucket, segment, came_in - bucket AS interval_number, count(DISTINCT distinct_id) AS number
    FROM cohorts JOIN returns ON user_id = distinct_id
    WHERE "time" >= since AND came_in >= bucket GROUP BY bucket, segment, interval_number
    UNION ALL SELECT bucket, segment, -1 AS interval_number, count(*) AS number FROM cohorts GROUP BY bucket, segment`,
  );
  const numberOf = (interval: number) => `sum(CASE WHEN interval_number = ${interval} THEN number ELSE 0 END)`;
  defineCells(question, 'counted', numberOf(-1), intervalsOf(request).map(numberOf));
  return question;
}

/** Those who come in each bucket of the dates, with all of the buckets that they came in, which are the bits of whole numbers. */
function askAll(scope: Scope, request: RetentionRequest, buckets: Buckets, looked: Buckets): Question {
  const { event, where, on } = request;
  const question = new Question(
    scope,
    { events: event === undefined ? undefined : [event], span: looked, where },
    on === undefined ? {} : { segment: { use: 'on', expression: on, span: buckets } },
  );
  question.define('events', `SELECT *, ${looked.sql('"time"', question.dialect)} AS bucket FROM selected`);
  question.define(
    'cohorts',
    firstOf(question, `events WHERE ${within(buckets).join(' AND ')}`, ['distinct_id', 'bucket'], on),
  );
  const bits = bitsOf(question, looked, 'bucket');
  question.define('users', `SELECT distinct_id AS user_id, ${bits} AS bits FROM events GROUP BY distinct_id`);
  question.define(
    'came',
    `SELECT bucket, bits, ${segmentIn(question, on)} AS segment FROM cohorts JOIN users ON user_id = distinct_id`,
  );
  const counts = intervalsOf(request).map((interval) => `sum(${bitAt(question, looked, `bucket + ${interval}`)})`);
  defineCells(question, 'came', 'count(*)', counts);
  return question;
}

function intervalsOf({ intervalCount }: RetentionRequest): number[] {
  return Array.from({ length: intervalCount + 1 }, (_, interval) => interval);
}

/** A row for each segment that a user is in; for all users, where nobody asks for segments. */
function segmentIn(question: Question, on: string | undefined): string {
  return on === undefined ? ALL_USERS : question.segmentOf('segment');
}

/** Names how many `users` each bucket and segment has, and how many of them came in each interval. */
function defineCells(question: Question, from: string, users: string, counts: readonly string[]): void {
  const columns = [`${users} AS users`, ...counts.map((count, interval) => `${count} AS came_${interval}`)];
  question.define('cells', `SELECT bucket, segment, ${columns.join(', ')} FROM ${from} GROUP BY bucket, segment`);
}

/** The first event, `since`, of each group; with `on` its segments, the least where there are several at the same second. */
function firstOf(question: Question, from: string, group: readonly string[], on: string | undefined): string {
  const columns = group.join(', ');
  if (on === undefined) return `SELECT ${columns}, min("time") AS since FROM ${from} GROUP BY ${columns}`;
  const nth = `row_number() OVER (PARTITION BY ${columns} ORDER BY "time", ${question.orderOf('segment')})`;
  return `SELECT ${columns}, since, segment FROM (SELECT ${columns}, "time" AS since, segment, ${nth} AS nth FROM ${from}) AS numbered WHERE nth = 1`;
}

/** The numbers of buckets in some rows: a whole number, or an array of them. */
function bitsOf(question: Question, { labels }: Buckets, bucket: string): string {
  const { bits } = sqlFunctions(question.dialect);
  if (labels.length <= BITS) return bits(bucket);
  const numbers = Array.from({ length: Math.ceil(labels.length / BITS) }, (_, index) => {
    const least = index * BITS;
    return bits(`CASE WHEN ${bucket} >= ${least} AND ${bucket} < ${least + BITS} THEN ${bucket} - ${least} END`);
  });
  return `[${numbers.join(', ')}]`;
}

/** 1 where the column `bits` has a bucket, 0 where not. */
function bitAt(question: Question, { labels }: Buckets, bucket: string): string {
  const { bit, quotient } = sqlFunctions(question.dialect);
  if (labels.length <= BITS) return bit('bits', bucket);
  return bit(`bits[${quotient(bucket, BITS)} + 1]`, `(${bucket}) % ${BITS}`);
}
