import { assertAnswerSize, limitSeries } from '../../../queries/answer-limits.ts';
import type { Buckets } from '../../../queries/buckets.ts';
import type { ByDate } from '../../../queries/requests.ts';
import type { JsonSqlRow } from '../../store/store-snapshot.ts';
import type { EventQuery } from '../sql/event-query.ts';

/** The segment of all users, in SQL that both databases type as a string. */
export const ALL_USERS = "nullif('', '')";

export interface ByDateQuery<Value> {
  readonly buckets: Buckets;
  readonly on: string | undefined;
  /** The column to rank segments by; with `on`, those with the highest sums are shown. */
  readonly by: string;
  readonly limit: number;
  /** The number of values of a segment in the answer. */
  readonly size: number;
  /** Summarizes the cells of a bucket and segment. */
  summaryOf(rows: readonly JsonSqlRow[], date: string): Value;
}

/**
 * Queries the table `cells`, which has the columns `bucket` and `segment`. Returns a value for each date, for all users
 * and for the top segments.
 */
export async function queryByDate<Value>(
  query: EventQuery,
  { buckets, on, by, limit, size, summaryOf }: ByDateQuery<Value>,
): Promise<Required<ByDate<Value>>> {
  assertAnswerSize(size);
  const { labels } = buckets;
  const found = new Map<string | null, Map<number, Value>>();
  let characters = 0;
  for await (const cells of groupCells(
    on === undefined ? streamAllUsers(query) : streamTopSegments(query, by, limit, size),
  )) {
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
  const listDates = (name: string | null) => {
    const dates = found.get(name);
    return labels.map((date, index) => dates?.get(index) ?? summaryOf([], date));
  };
  const names = [...found.keys()].filter((name) => name !== null);
  return { dates: labels, overall: listDates(null), segments: names.map((name) => ({ name, dates: listDates(name) })) };
}

function streamAllUsers(query: EventQuery): AsyncIterable<readonly JsonSqlRow[]> {
  return query.stream('SELECT * FROM cells ORDER BY bucket');
}

/** Streams the cells of all users and those of the top segments, highest total first. */
function streamTopSegments(
  query: EventQuery,
  by: string,
  limit: number,
  size: number,
): AsyncIterable<readonly JsonSqlRow[]> {
  query.derive('summed', `SELECT *, sum(${by}) OVER (PARTITION BY segment) AS total FROM cells`);
  query.derive(
    'ranked',
    'SELECT *, dense_rank() OVER (PARTITION BY segment IS NULL ORDER BY total DESC, segment) AS rank FROM summed',
  );
  return query.stream(
    `SELECT * FROM ranked WHERE rank <= ${limitSeries(limit, size)} ORDER BY segment IS NULL, rank, bucket`,
  );
}

/** Groups consecutive rows of the same segment and bucket. */
async function* groupCells(rows: AsyncIterable<readonly JsonSqlRow[]>): AsyncGenerator<[JsonSqlRow, ...JsonSqlRow[]]> {
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
