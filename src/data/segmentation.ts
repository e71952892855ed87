import type { TimeZone } from '../lang/operators/time-zone.ts';
import { compareStrings } from '../lang/value.ts';
import { getBucket, listBuckets, type TimeUnit, toLocalSeconds } from './buckets.ts';
import type { EventRecord, MissingField } from './event-record.ts';
import { type Counted, Tally } from './tally.ts';

/** A segment with its total and, with a time unit, its count in each bucket. */
export interface Segment {
  readonly name: string;
  readonly count: number;
  /** Counts by bucket label, without empty buckets. */
  readonly values: ReadonlyMap<string, number>;
}

export interface SegmentationResult {
  /** The top segments, largest first, equal ones by name. */
  readonly segments: readonly Segment[];
  /** The number and total count of all other segments. */
  readonly rest: { readonly segments: number; readonly count: number };
  /** The labels of all buckets from the first to the last with data. Empty without a time unit. */
  readonly series: readonly string[];
}

/** The counts of each segment, in total and by bucket. */
export type CountedSegments = Map<string, { all: Counted; buckets: Map<string, Counted> }>;

const MAX_LABELS = 10_000;

/** Counts records or distinct users by segment and, with a time unit, by bucket. */
export class Segmentation {
  private segments = new Map<string, { all: Tally; buckets: Map<string, Tally> }>();
  /** The buckets of the hours that occurred last: a date takes longer to format than to look up. */
  private readonly labels = new Map<number, string>();

  constructor(
    private readonly unique: boolean,
    private readonly unit: TimeUnit | undefined,
    private readonly timeZone?: TimeZone | undefined,
  ) {}

  /** Counts a record, or returns the field that it lacks. */
  add(
    names: readonly string[],
    { time, distinctId }: Pick<EventRecord, 'time' | 'distinctId'>,
  ): MissingField | undefined {
    if (this.unit !== undefined && time === undefined) return 'time';
    if (this.unique && distinctId === undefined) return 'distinct_id';
    const bucket = this.unit !== undefined && time !== undefined ? this.getLabel(time, this.unit) : undefined;
    for (const name of names) {
      const segment = this.getOrCreateSegment(name);
      segment.all.add(distinctId);
      if (bucket !== undefined) this.getOrCreateBucket(segment, bucket).add(distinctId);
    }
    return undefined;
  }

  /** Returns and resets the counts. */
  take(): CountedSegments {
    const counted = [...this.segments].map(([name, { all, buckets }]) => {
      const taken = [...buckets].map(([label, tally]) => [label, tally.take()] as const);
      return [name, { all: all.take(), buckets: new Map(taken) }] as const;
    });
    this.segments = new Map();
    return new Map(counted);
  }

  /** Adds the counts of another segmentation of the same kind. */
  merge(counted: CountedSegments): void {
    for (const [name, { all, buckets }] of counted) {
      const segment = this.getOrCreateSegment(name);
      segment.all.merge(all);
      for (const [label, tally] of buckets) this.getOrCreateBucket(segment, label).merge(tally);
    }
  }

  result(limit: number): SegmentationResult {
    const ranked = [...this.segments]
      .map(([name, { all, buckets }]) => ({ name, count: all.count, buckets }))
      .sort((left, right) => right.count - left.count || compareStrings(left.name, right.name));
    const segments = ranked.slice(0, limit).map(({ name, count, buckets }) => {
      const values = [...buckets].map(([label, tally]) => [label, tally.count] as const);
      return { name, count, values: new Map(values.sort()) };
    });
    const rest = ranked.slice(limit);
    const restCount = rest.reduce((sum, { count }) => sum + count, 0);
    return {
      segments,
      rest: { segments: rest.length, count: restCount },
      series: this.listLabels(),
    };
  }

  private getLabel(time: number, unit: TimeUnit): string {
    if (this.labels.size > MAX_LABELS) this.labels.clear();
    const local = toLocalSeconds(time, unit, this.timeZone);
    return getOrCreate(this.labels, Math.floor(local / 3600), () => getBucket(local, unit));
  }

  private getOrCreateSegment(name: string) {
    return getOrCreate(this.segments, name, () => ({ all: new Tally(this.unique), buckets: new Map<string, Tally>() }));
  }

  private getOrCreateBucket({ buckets }: { buckets: Map<string, Tally> }, label: string): Tally {
    return getOrCreate(buckets, label, () => new Tally(this.unique));
  }

  private listLabels(): string[] {
    const labels = [...new Set([...this.segments.values()].flatMap(({ buckets }) => [...buckets.keys()]))].sort();
    const [first, last] = [labels[0], labels.at(-1)];
    if (this.unit === undefined || first === undefined || last === undefined) return [];
    return listBuckets(first, last, this.unit, this.timeZone);
  }
}

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
