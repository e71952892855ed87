import { compareText } from '../language/value.ts';
import { bucketOf, bucketsBetween, type Unit } from './buckets.ts';
import type { EventRecord } from './input/event-record.ts';
import { Tally } from './tally.ts';

/** A segment with its count and, where time is cut, its count in each bucket. */
export interface Segment {
  readonly name: string;
  readonly count: number;
  /** Buckets without data are left out. */
  readonly values: ReadonlyMap<string, number>;
}

export interface SegmentationResult {
  /** The greatest segments, greatest first; equal ones by name. */
  readonly segments: readonly Segment[];
  /** How many more there are, and what they count together. */
  readonly rest: { readonly segments: number; readonly count: number };
  /** The labels of all buckets from the first to the last with data; none where time is not cut. */
  readonly series: readonly string[];
  /** Records without a time, which no bucket holds. */
  readonly untimed: number;
  /** Records without a user, where users are counted. */
  readonly anonymous: number;
}

/** Gathers records by segment, by bucket and, if wanted, by distinct user. */
export class Segmentation {
  private readonly segments = new Map<string, { all: Tally; buckets: Map<string, Tally> }>();
  private untimed = 0;
  private anonymous = 0;

  constructor(
    private readonly unique: boolean,
    private readonly unit: Unit | undefined,
  ) {}

  add(names: readonly string[], { time, distinctId }: EventRecord): void {
    if (this.unit !== undefined && time === undefined) {
      this.untimed++;
      return;
    }
    if (this.unique && distinctId === undefined) {
      this.anonymous++;
      return;
    }
    const bucket = this.unit !== undefined && time !== undefined ? bucketOf(time, this.unit) : undefined;
    for (const name of names) {
      const segment = getOrMake(this.segments, name, () => ({ all: new Tally(this.unique), buckets: new Map() }));
      segment.all.add(distinctId);
      if (bucket !== undefined) getOrMake(segment.buckets, bucket, () => new Tally(this.unique)).add(distinctId);
    }
  }

  result(limit: number): SegmentationResult {
    const ranked = [...this.segments]
      .map(([name, { all, buckets }]) => ({ name, count: all.count, buckets }))
      .sort((left, right) => right.count - left.count || compareText(left.name, right.name));
    const segments = ranked.slice(0, limit).map(({ name, count, buckets }) => {
      const values = [...buckets].map(([label, tally]) => [label, tally.count] as const);
      return { name, count, values: new Map(values.sort()) };
    });
    const rest = ranked.slice(limit);
    const restCount = rest.reduce((sum, { count }) => sum + count, 0);
    return {
      segments,
      rest: { segments: rest.length, count: restCount },
      series: this.series(),
      untimed: this.untimed,
      anonymous: this.anonymous,
    };
  }

  private series(): string[] {
    const labels = [...new Set([...this.segments.values()].flatMap(({ buckets }) => [...buckets.keys()]))].sort();
    const [first, last] = [labels[0], labels.at(-1)];
    if (this.unit === undefined || first === undefined || last === undefined) return [];
    return bucketsBetween(first, last, this.unit);
  }
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
