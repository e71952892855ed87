import { countReached } from '../../queries/count-reached.ts';
import { getIntervalState, type IntervalState } from '../../queries/interval-state.ts';
import type { Bucket } from '../../queries/requests.ts';
import type { Answer } from './answer.ts';
import { readBucket } from './days.ts';

/** A number of users of a cohort, and whether its interval has ended. */
interface CohortCell {
  readonly count: number;
  readonly state: IntervalState;
}

/** Users who start on the same date, and how many of them are in each column. */
interface CohortOfDate {
  readonly date: string;
  readonly size: number;
  readonly cells: readonly CohortCell[];
}

/** The cohorts of all users, or of a segment, by date. */
export interface Cohorts {
  /** Undefined for all users. */
  readonly segment: string | undefined;
  readonly rows: readonly CohortOfDate[];
}

type BySegment<Value> = Readonly<Record<string, Value>>;

/** Reads the cohorts of retention, largest segment first. Intervals in the future are blank. */
export function readRetention({ result, parameters, today }: Answer): readonly Cohorts[] {
  const bucket = readBucket(parameters) as Bucket;
  return readBySegment<{ readonly first: number; readonly counts: readonly number[] }>(
    result,
    parameters,
    (date, found) => ({
      date,
      size: found.first,
      cells: found.counts.map((count, at) => ({ count, state: getIntervalState(date, bucket, at, today) })),
    }),
  );
}

/** Reads the periods of frequency, with as many columns as anybody reaches: users active in at least 1, 2, … units. */
export function readFrequency({ result, parameters, today }: Answer): readonly Cohorts[] {
  const bucket = readBucket(parameters) as Bucket;
  const cohorts = readBySegment<readonly number[]>(result, parameters, (date, counts) => ({
    date,
    size: counts[0] ?? 0,
    cells: counts.map((count) => ({ count, state: getIntervalState(date, bucket, 0, today) })),
  }));
  const numbers = cohorts.flatMap(({ rows }) => rows.map(({ cells }) => cells.map(({ count }) => count)));
  const reached = Math.max(1, countReached(numbers));
  return cohorts.map(({ segment, rows }) => ({
    segment,
    rows: rows.map((row) => ({ ...row, cells: row.cells.slice(0, reached) })),
  }));
}

/** Returns the share of users in a column, over the cohorts for which it is over; undefined if there are none. */
export function findShare({ rows }: Cohorts, column: number): number | undefined {
  const over = rows.filter(({ cells, size }) => cells[column]?.state === 'over' && size > 0);
  const size = over.reduce((sum, { size }) => sum + size, 0);
  return size === 0 ? undefined : over.reduce((sum, { cells }) => sum + (cells[column]?.count ?? 0), 0) / size;
}

/** Returns the number of columns of the widest row. */
export function countColumns(cohorts: readonly Cohorts[]): number {
  return Math.max(0, ...cohorts.flatMap(({ rows }) => rows.map(({ cells }) => cells.length)));
}

function readBySegment<Value>(
  result: object,
  parameters: ReadonlyMap<string, string>,
  toRow: (date: string, value: Value) => CohortOfDate,
): Cohorts[] {
  const found = new Map<string | undefined, CohortOfDate[]>();
  const dates = Object.entries(result as BySegment<unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [date, value] of dates) {
    const segments = parameters.has('on')
      ? Object.entries(value as BySegment<Value>)
      : [[undefined, value as Value] as const];
    for (const [segment, one] of segments) found.set(segment, [...(found.get(segment) ?? []), toRow(date, one)]);
  }
  const size = (rows: readonly CohortOfDate[]) => rows.reduce((sum, { size }) => sum + size, 0);
  return [...found].sort(([, a], [, b]) => size(b) - size(a)).map(([segment, rows]) => ({ segment, rows }));
}
