import type { Row } from '../store/reading.ts';
import type { Buckets } from './buckets.ts';
import { expectAnswerSize } from './expect-answer-size.ts';
import type { ByDate } from './queries.ts';
import type { Question } from './question.ts';

/** The segment of all users, in SQL that both databases give the type of a text. */
export const ALL_USERS = "nullif('', '')";

export interface DatedCells<Value> {
  readonly buckets: Buckets;
  readonly on: string | undefined;
  /** With `on`, only the segments are shown that have the greatest sums of this column. */
  readonly by: string;
  readonly limit: number;
  /** How many numbers a segment has in the answer. */
  readonly size: number;
  /** What the cells of a bucket and segment say. */
  summaryOf(rows: readonly Row[], date: string): Value;
}

/** Asks for the table `cells`, with the columns `bucket` and `segment`: what there is of each date, for all users and for segments, the greatest first. */
export async function byDate<Value>(
  question: Question,
  { buckets, on, by, limit, size, summaryOf }: DatedCells<Value>,
): Promise<Required<ByDate<Value>>> {
  expectAnswerSize(size);
  const rows = await (on === undefined ? question.rows('SELECT * FROM cells') : greatest(question, by, limit));
  const bySegment = grouped(rows, ({ segment }) => segment as string | null);
  expectAnswerSize(bySegment.size * size);
  const summariesOf = (some: readonly Row[] = []) => {
    const byBucket = grouped(some, ({ bucket }) => Number(bucket));
    return buckets.labels.map((date, index) => summaryOf(byBucket.get(index) ?? [], date));
  };
  const segments = [...bySegment].flatMap(([name, own]) => (name === null ? [] : [{ name, dates: summariesOf(own) }]));
  return { dates: buckets.labels, overall: summariesOf(bySegment.get(null)), segments };
}

/** The cells of all users and those of the greatest segments, in their order. */
function greatest(question: Question, by: string, limit: number): Promise<readonly Row[]> {
  question.define('summed', `SELECT *, sum(${by}) OVER (PARTITION BY segment) AS total FROM cells`);
  question.define(
    'ranked',
    'SELECT *, dense_rank() OVER (PARTITION BY segment IS NULL ORDER BY total DESC, segment) AS rank FROM summed',
  );
  return question.rows(`SELECT * FROM ranked WHERE rank <= ${limit} ORDER BY rank`);
}

function grouped<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(row);
  }
  return groups;
}
