import { assertAnswerSize, limitSeries } from '../../../queries/answer-limits.ts';
import type { Buckets } from '../../../queries/buckets.ts';
import type { CountType, NamedValues, Series } from '../../../queries/requests.ts';
import type { JsonSqlRow } from '../../store/store-snapshot.ts';
import type { EventQuery } from '../sql/event-query.ts';
import { containHours, lowerBucket } from '../sql/lower-bucket.ts';
import { type ShardAggregate, USER_COUNT } from '../sql/shard-aggregate.ts';

export interface Counting {
  readonly buckets: Buckets;
  readonly type: CountType;
  /** The column whose segments are counted. */
  readonly on: string;
  /** An SQL condition on `segment`, the name of a segment. */
  readonly among?: string;
  readonly limit: number;
}

/** Counts the events of a query in each bucket, for each of the top segments, highest total first. */
export async function querySeries(query: EventQuery, { buckets, type, on, among, limit }: Counting): Promise<Series> {
  const bucket = lowerBucket(buckets, '"time"', query.dialect);
  query.define('cut', `SELECT ${bucket} AS bucket, ${query.segmentOf(on)} AS segment, ${query.unit} FROM selected`);
  query.define('kept', `SELECT * FROM cut${among === undefined ? '' : ` WHERE ${among}`}`);
  query.group('cells', { from: 'kept', keys: ['bucket', 'segment'], values: listCounts(query, type) });
  if (type === 'unique') query.group('totals', { from: 'kept', keys: ['segment'], values: { total: USER_COUNT } });
  else query.derive('totals', 'SELECT segment, sum(events) AS total FROM cells GROUP BY segment');
  const maxSeries = limitSeries(limit, buckets.labels.length);
  query.derive('top', `SELECT * FROM totals ORDER BY total DESC, segment LIMIT ${maxSeries}`);
  const rows = query.stream(
    'SELECT cells.*, top.total AS total FROM cells JOIN top ON cells.segment = top.segment ORDER BY total DESC, cells.segment',
  );
  return collectSeries(rows, buckets, type);
}

/** Returns the SQL columns from which a type of count is computed. */
export function listCounts({ eventCount }: EventQuery, type: CountType): Readonly<Record<string, ShardAggregate>> {
  return { ...(type !== 'unique' && { events: eventCount }), ...(type !== 'general' && { users: USER_COUNT }) };
}

/** Returns whether counts of a type in some buckets can be added up from counts by hour. */
export function isCountOfHours(type: CountType, buckets: Buckets): boolean {
  return type === 'general' && containHours(buckets);
}

/** The amounts of {@link getCount} in SQL. Every row has users. */
export const AMOUNTS: Readonly<Record<CountType, string>> = {
  general: 'events',
  unique: 'users',
  average: 'events / users',
};

/** Returns the count in a row with the columns of {@link listCounts}. */
export function getCount({ events, users }: JsonSqlRow, type: CountType): number {
  if (type === 'general') return Number(events);
  return type === 'unique' ? Number(users) : divideOrZero(Number(events), Number(users));
}

/** Divides two numbers; 0 if the divisor is 0. */
export function divideOrZero(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Collects a series for each segment, in order of appearance. Buckets without a row are 0. */
export async function collectSeries(
  rows: AsyncIterable<readonly JsonSqlRow[]>,
  { labels }: Buckets,
  type: CountType,
): Promise<Series> {
  const byName = new Map<string, number[]>();
  let characters = 0;
  for await (const some of rows) {
    for (const row of some) {
      const name = row.segment as string;
      let values = byName.get(name);
      if (values === undefined) {
        characters += name.length;
        assertAnswerSize((byName.size + 1) * labels.length, characters);
        values = labels.map(() => 0);
        byName.set(name, values);
      }
      values[Number(row.bucket)] = getCount(row, type);
    }
  }
  const series = [...byName].map(([name, values]): NamedValues => ({ name, values }));
  return { buckets: labels, series };
}
