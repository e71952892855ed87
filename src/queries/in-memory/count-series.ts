import { Tally } from '../../data/tally.ts';
import { assertAnswerSize, limitSeries } from '../answer-limits.ts';
import type { Buckets } from '../buckets.ts';
import type { CountType, NamedValues, Series } from '../requests.ts';
import { getOrCreate, rankTop } from './memory-events.ts';

/** An event that counts in some segments. */
export interface CountedEvent {
  readonly time: number;
  readonly user: string;
  readonly segments: readonly string[];
}

/** Counts the events or the users of one cell of an answer. */
export class CountCell {
  private readonly events = new Tally(false);
  private readonly users: Tally | undefined;

  constructor(private readonly type: CountType) {
    this.users = type === 'general' ? undefined : new Tally(true);
  }

  add(user: string): void {
    this.events.add();
    this.users?.add(user);
  }

  get count(): number {
    const users = this.users?.count ?? 0;
    if (this.type === 'general') return this.events.count;
    return this.type === 'unique' ? users : this.events.count / users;
  }

  /** Users per event. */
  get usersPerEvent(): number {
    return (this.users?.count ?? 0) / this.events.count;
  }
}

/** Counts events in each bucket. Buckets without events are 0. */
export class BucketCounts {
  private readonly cells = new Map<number, CountCell>();

  constructor(
    private readonly buckets: Buckets,
    private readonly type: CountType,
  ) {}

  /** Counts an event whose time is in the buckets. */
  add({ time, user }: Pick<CountedEvent, 'time' | 'user'>): void {
    getOrCreate(this.cells, this.buckets.indexOf(time), () => new CountCell(this.type)).add(user);
  }

  list(read = (cell: CountCell): number => cell.count): number[] {
    const values = this.buckets.labels.map(() => 0);
    for (const [bucket, cell] of this.cells) values[bucket] = read(cell);
    return values;
  }
}

/** Counts events in each bucket for each of the top segments, highest total first. */
export function countTopSegments(
  events: readonly CountedEvent[],
  buckets: Buckets,
  type: CountType,
  limit: number,
): Series {
  const totals = new Map<string, Tally>();
  for (const { segments, user } of events) {
    for (const name of segments) getOrCreate(totals, name, () => new Tally(type === 'unique')).add(user);
  }
  const amounts = new Map(Array.from(totals, ([name, { count }]) => [name, count]));
  return countNamedSegments(events, buckets, type, rankTop(amounts, limitSeries(limit, buckets.labels.length)));
}

/** Counts events in each bucket for each of some segments. */
export function countNamedSegments(
  events: readonly CountedEvent[],
  buckets: Buckets,
  type: CountType,
  names: readonly string[],
): Series {
  assertAnswerSize(names.length * buckets.labels.length, names.join('').length);
  const counts = new Map(names.map((name) => [name, new BucketCounts(buckets, type)]));
  for (const event of events) for (const name of event.segments) counts.get(name)?.add(event);
  const series = Array.from(counts, ([name, own]): NamedValues => ({ name, values: own.list() }));
  return { buckets: buckets.labels, series };
}
