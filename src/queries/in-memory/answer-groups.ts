import { assertAnswerSize } from '../answer-limits.ts';
import type { Buckets } from '../buckets.ts';
import { type RowSegments, readSegments, selectTopSegments } from './row-segments.ts';

/** The rows that count in an answer: in order of user, and for each user of bucket. */
interface GroupedRows {
  readonly segments: RowSegments;
  readonly users: Uint32Array;
  /** The bucket of each row. */
  readonly numbers: Uint32Array;
}

interface AnswerShape {
  readonly buckets: Buckets;
  readonly isSegmented: boolean;
  /** The maximum number of segments. */
  readonly limit: number;
  /** The number of numbers of a group in the answer. */
  readonly size: number;
}

/** The groups of an answer: 0 has all rows, and the others those of a segment, most users first. */
export class AnswerGroups {
  private static readonly all: readonly number[] = [0];
  private readonly names: readonly string[];
  private readonly ofValues: readonly (readonly number[])[];
  private readonly values: Uint32Array;

  /** @throws {QueryError} if the answer would be too large */
  constructor(
    rows: GroupedRows,
    private readonly shape: AnswerShape,
  ) {
    const { limit, size } = shape;
    const { segments } = rows;
    assertAnswerSize(size);
    const { names, ranks } = selectTopSegments(segments.names, countUserBuckets(rows), limit, size);
    this.names = names;
    this.values = segments.values;
    this.ofValues = segments.ofValues.map((own) => {
      const found = own.map((segment) => ranks[segment] as number).filter((rank) => rank >= 0);
      return [0, ...found.map((rank) => rank + 1)];
    });
  }

  get count(): number {
    return this.names.length + 1;
  }

  /** Returns the groups of the row at a position. */
  list(position: number): readonly number[] {
    if (this.names.length === 0) return AnswerGroups.all;
    return this.ofValues[this.values[position] as number] ?? AnswerGroups.all;
  }

  /** Returns the answer: a value for each bucket of all rows, and with segments of each of them. */
  summarize<Value>(read: (group: number, bucket: number) => Value): {
    readonly dates: readonly string[];
    readonly overall: readonly Value[];
    readonly segments?: readonly { readonly name: string; readonly dates: readonly Value[] }[];
  } {
    const { labels } = this.shape.buckets;
    const readAll = (group: number) => labels.map((_, bucket) => read(group, bucket));
    const segments = this.names.map((name, rank) => ({ name, dates: readAll(rank + 1) }));
    return { dates: labels, overall: readAll(0), ...(this.shape.isSegmented && { segments }) };
  }
}

/** Counts for each segment the users of each bucket. */
function countUserBuckets({ segments, users, numbers }: GroupedRows): Float64Array {
  const counts = new Float64Array(segments.names.length);
  if (counts.length === 0) return counts;
  const last = new Float64Array(segments.names.length).fill(-1);
  for (let at = 0; at < users.length; at++) {
    const pair = (users[at] as number) * 2 ** 20 + (numbers[at] as number);
    for (const segment of readSegments(segments, at)) {
      if (last[segment] !== pair) (counts[segment] as number)++;
      last[segment] = pair;
    }
  }
  return counts;
}
