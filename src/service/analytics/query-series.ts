import type { JsonSqlRow } from '../store/store-snapshot.ts';
import { assertAnswerSize, limitSeries } from './answer-limits.ts';
import type { Buckets } from './buckets.ts';
import type { EventQuery } from './event-query.ts';
import type { CountType, NamedValues, Series } from './queries.ts';

export interface Counting {
  readonly buckets: Buckets;
  readonly type: CountType;
  /** The part whose segments are counted. */
  readonly on: string;
  /** A condition on the name of a segment, `segment`. */
  readonly among?: string;
  readonly limit: number;
}

/** Counts the events of a question in each bucket, for each of the greatest segments, greatest first. */
export async function querySeries(
  question: EventQuery,
  { buckets, type, on, among, limit }: Counting,
): Promise<Series> {
  const bucket = buckets.sql('"time"', question.dialect);
  question.define('cut', `SELECT ${bucket} AS bucket, ${question.segmentOf(on)} AS segment, distinct_id FROM selected`);
  question.define('kept', `SELECT * FROM cut${among === undefined ? '' : ` WHERE ${among}`}`);
  question.define('cells', `SELECT bucket, segment, ${COUNTS[type]} FROM kept GROUP BY bucket, segment`);
  const total =
    type === 'unique'
      ? 'SELECT segment, count(DISTINCT distinct_id) AS total FROM kept GROUP BY segment'
      : 'SELECT segment, sum(events) AS total FROM cells GROUP BY segment';
  const most = limitSeries(limit, buckets.labels.length);
  question.define('greatest', `SELECT * FROM (${total}) AS totals ORDER BY total DESC, segment LIMIT ${most}`);
  const rows = question.stream(
    'SELECT cells.*, greatest.total AS total FROM cells JOIN greatest ON cells.segment = greatest.segment ORDER BY total DESC, cells.segment',
  );
  return collectSeries(rows, buckets, type);
}

/** Columns that count what a type of count is made of. */
export const COUNTS: Readonly<Record<CountType, string>> = {
  general: 'count(*) AS events',
  unique: 'count(DISTINCT distinct_id) AS users',
  average: 'count(*) AS events, count(DISTINCT distinct_id) AS users',
};

/** The amounts of {@link getCount} in SQL. No row is without users. */
export const AMOUNTS: Readonly<Record<CountType, string>> = {
  general: 'events',
  unique: 'users',
  average: 'events / users',
};

/** What a row with the columns of {@link COUNTS} says. */
export function getCount({ events, users }: JsonSqlRow, type: CountType): number {
  if (type === 'general') return Number(events);
  return type === 'unique' ? Number(users) : divideOrZero(Number(events), Number(users));
}

/** 0 of nothing. */
export function divideOrZero(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** A series for each segment, in the order in which they come first. Of buckets without a row, the number is 0. */
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
