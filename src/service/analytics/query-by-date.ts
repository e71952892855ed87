import type { JsonSqlRow } from '../store/store-snapshot.ts';
import { assertAnswerSize, limitSeries } from './answer-limits.ts';
import type { Buckets } from './buckets.ts';
import type { EventQuery } from './event-query.ts';
import type { ByDate } from './queries.ts';

/** The segment of all users, in SQL that both databases give the type of a text. */
export const ALL_USERS = "nullif('', '')";

export interface ByDateQuery<Value> {
  readonly buckets: Buckets;
  readonly on: string | undefined;
  /** With `on`, only the segments are shown that have the greatest sums of this column. */
  readonly by: string;
  readonly limit: number;
  /** How many numbers a segment has in the answer. */
  readonly size: number;
  /** What the cells of a bucket and segment say. */
  summaryOf(rows: readonly JsonSqlRow[], date: string): Value;
}

/** Asks for the table `cells`, with the columns `bucket` and `segment`: what there is of each date, for all users and for segments, the greatest first. */
export async function queryByDate<Value>(
  question: EventQuery,
  { buckets, on, by, limit, size, summaryOf }: ByDateQuery<Value>,
): Promise<Required<ByDate<Value>>> {
  assertAnswerSize(size);
  const { labels } = buckets;
  const found = new Map<string | null, Map<number, Value>>();
  let characters = 0;
  for await (const cells of cellsOfDates(on === undefined ? everyone(question) : greatest(question, by, limit, size))) {
    const [{ segment, bucket }] = cells;
    const name = segment as string | null;
    let dates = found.get(name);
    if (dates === undefined) {
      characters += name?.length ?? 0;
      assertAnswerSize((found.size + 1) * size, characters);
      dates = new Map();
      found.set(name, dates);
    }
    dates.set(Number(bucket), summaryOf(cells, labels[Number(bucket)] as string));
  }
  const datesOf = (name: string | null) => {
    const dates = found.get(name);
    return labels.map((date, index) => dates?.get(index) ?? summaryOf([], date));
  };
  const names = [...found.keys()].filter((name) => name !== null);
  return { dates: labels, overall: datesOf(null), segments: names.map((name) => ({ name, dates: datesOf(name) })) };
}

function everyone(question: EventQuery): AsyncIterable<readonly JsonSqlRow[]> {
  return question.stream('SELECT * FROM cells ORDER BY bucket');
}

/** The cells of all users and those of the greatest segments, in their order. */
function greatest(question: EventQuery, by: string, limit: number, size: number): AsyncIterable<readonly JsonSqlRow[]> {
  question.define('summed', `SELECT *, sum(${by}) OVER (PARTITION BY segment) AS total FROM cells`);
  question.define(
    'ranked',
    'SELECT *, dense_rank() OVER (PARTITION BY segment IS NULL ORDER BY total DESC, segment) AS rank FROM summed',
  );
  return question.stream(
    `SELECT * FROM ranked WHERE rank <= ${limitSeries(limit, size)} ORDER BY segment IS NULL, rank, bucket`,
  );
}

/** The cells of each segment and bucket, which follow one another. */
async function* cellsOfDates(
  rows: AsyncIterable<readonly JsonSqlRow[]>,
): AsyncGenerator<[JsonSqlRow, ...JsonSqlRow[]]> {
  let cells: [JsonSqlRow, ...JsonSqlRow[]] | undefined;
  for await (const some of rows) {
    for (const row of some) {
      if (cells !== undefined && cells[0].segment === row.segment && cells[0].bucket === row.bucket) {
        cells.push(row);
        continue;
      }
      if (cells !== undefined) yield cells;
      cells = [row];
    }
  }
  if (cells !== undefined) yield cells;
}
