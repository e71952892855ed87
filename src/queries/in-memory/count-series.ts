import type { Buckets } from '../buckets.ts';
import type { CountType, NamedValues, Series } from '../requests.ts';
import { Cells } from './cells.ts';
import type { EventTable } from './event-table.ts';
import { numberBuckets } from './number-buckets.ts';
import { type RowSegments, readSegments, selectSegments, selectTopSegments, type TopSegments } from './row-segments.ts';

/** The events to count: rows of a table, and how. */
export interface CountedRows {
  readonly table: EventTable;
  readonly rows: Uint32Array;
  readonly buckets: Buckets;
  readonly type: CountType;
}

/** Counts events in each bucket. */
export function countBuckets({ table, rows, buckets, type }: CountedRows): number[] {
  const numbers = numberBuckets(buckets, table.times, rows);
  const cells = new Cells(buckets.labels.length);
  for (let at = 0; at < rows.length; at++) {
    cells.add(numbers[at] as number, table.users[rows[at] as number] as number);
  }
  return buckets.labels.map((_, bucket) => cells.count(bucket, type));
}

/** Counts events in each bucket for each of the top segments, highest total first. */
export function countTopSegments(counted: CountedRows, segments: RowSegments, limit: number): Series {
  const { table, rows, buckets, type } = counted;
  const totals = new Cells(segments.names.length);
  for (let at = 0; at < rows.length; at++) {
    const user = table.users[rows[at] as number] as number;
    for (const segment of readSegments(segments, at)) totals.add(segment, user);
  }
  const by = type === 'unique' ? 'unique' : 'general';
  const amounts = segments.names.map((_, segment) => totals.count(segment, by));
  return countSegments(counted, segments, selectTopSegments(segments.names, amounts, limit, buckets.labels.length));
}

/** Counts events in each bucket for each of some segments. */
export function countNamedSegments(counted: CountedRows, segments: RowSegments, names: readonly string[]): Series {
  return countSegments(counted, segments, selectSegments(segments.names, names, counted.buckets.labels.length));
}

function countSegments(
  { table, rows, buckets, type }: CountedRows,
  segments: RowSegments,
  { names, ranks }: TopSegments,
): Series {
  const { labels } = buckets;
  const numbers = numberBuckets(buckets, table.times, rows);
  const cells = new Cells(names.length * labels.length);
  for (let at = 0; at < rows.length; at++) {
    const user = table.users[rows[at] as number] as number;
    for (const segment of readSegments(segments, at)) {
      const rank = ranks[segment] as number;
      if (rank >= 0) cells.add(rank * labels.length + (numbers[at] as number), user);
    }
  }
  const series = names.map((name, rank): NamedValues => {
    return { name, values: labels.map((_, bucket) => cells.count(rank * labels.length + bucket, type)) };
  });
  return { buckets: labels, series };
}
