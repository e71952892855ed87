import { extendArray } from '../../base/extend-array.ts';
import { Buckets } from '../buckets.ts';
import { QueryError } from '../errors.ts';
import type { ByDate, Cohort, RetentionRequest } from '../requests.ts';
import { isInRange } from '../time-range.ts';
import { AnswerGroups } from './answer-groups.ts';
import { EventExpressions } from './event-expressions.ts';
import { type EventTable, filterRows, gather } from './event-table.ts';
import type { MemoryContext } from './memory-context.ts';
import { numberBuckets } from './number-buckets.ts';
import { compareSegments, type RowSegments } from './row-segments.ts';

/** The events that put users into cohorts, in order of user and time. */
interface Starts {
  readonly rows: Uint32Array;
  readonly segments: RowSegments;
}

/** Counts the users of each cohort who come back. */
export function countRetention(context: MemoryContext, request: RetentionRequest): ByDate<Cohort> {
  const { type, dates, bucket, event, where, intervalCount, on, limit } = request;
  const { table, timeZone } = context;
  const buckets = Buckets.by(dates, bucket, timeZone);
  const counted = buckets.continued(intervalCount);
  if (type === 'birth' && request.bornEvent === undefined)
    throw new QueryError('parameter', 'Missing required parameter: born_event');
  const expressions = new EventExpressions(context);
  const [select, segment] = [expressions.compileFilter(where), expressions.compileSegments(on)];
  const findBirths = type === 'birth' ? compileBirths(expressions, table, request, buckets) : undefined;
  const found = select(table.findRows(event === undefined ? undefined : [event], counted));
  const candidates = findBirths?.() ?? table.selectRange(found, buckets);
  const { rows, segments } = findStarts(table, candidates, buckets, segment, type === 'birth');
  const numbers = numberBuckets(buckets, table.times, rows);
  const users = gather(table.users, rows);
  const size = buckets.labels.length * (intervalCount + 2);
  const groups = new AnswerGroups(
    { segments, users, numbers },
    { buckets, isSegmented: on !== undefined, limit, size },
  );
  const width = intervalCount + 1;
  const firsts = new Uint32Array(groups.count * buckets.labels.length);
  const counts = new Uint32Array(firsts.length * width);
  const returns = new Returns(table, found, counted);
  for (let at = 0; at < rows.length; at++) {
    const number = numbers[at] as number;
    const user = users[at] as number;
    const time = table.times[rows[at] as number] as number;
    for (const group of groups.list(at)) {
      const cell = group * buckets.labels.length + number;
      (firsts[cell] as number)++;
      returns.countIntervals(user, time, number, counts, cell * width, width);
    }
  }
  const { overall, ...rest } = groups.summarize((group, number): Cohort => {
    const cell = group * buckets.labels.length + number;
    return { first: firsts[cell] as number, counts: [...counts.subarray(cell * width, (cell + 1) * width)] };
  });
  return on === undefined ? { ...rest, overall } : rest;
}

/**
 * Returns the function that finds the born events of users up to the end of the dates. A filter that fails on an event
 * before the dates does not select it.
 */
function compileBirths(
  expressions: EventExpressions,
  table: EventTable,
  { bornEvent = '', bornWhere }: RetentionRequest,
  buckets: Buckets,
): () => Uint32Array {
  const [select, selectLeniently] = [expressions.compileFilter(bornWhere), expressions.compileLenientFilter(bornWhere)];
  return () => {
    const rows = table.findRows([bornEvent], { from: 0, to: buckets.to });
    const outside = filterRows(rows, (row) => !isInRange(table.times[row] as number, buckets));
    const born = new Uint8Array(table.length);
    for (const row of select(table.selectRange(rows, buckets))) born[row] = 1;
    for (const row of selectLeniently(outside)) born[row] = 1;
    return filterRows(rows, (row) => born[row] === 1);
  };
}

/**
 * Returns the first event of each user, or of each user and bucket, if it is in the buckets; at the same second, the one
 * whose segments sort first.
 */
function findStarts(
  table: EventTable,
  candidates: Uint32Array,
  buckets: Buckets,
  segment: (rows: Uint32Array) => RowSegments,
  isOnce: boolean,
): Starts {
  const { times, users } = table;
  const inside = table.selectRange(candidates, buckets);
  const segments = segment(inside);
  const numbers = numberBuckets(buckets, times, inside);
  const starts: number[] = [];
  let position = 0;
  let before = -1;
  for (const row of candidates) {
    const isInside = row === inside[position];
    const isFirst =
      before === -1 ||
      users[row] !== users[before] ||
      (!isOnce && numbers[position] !== numbers[starts.at(-1) as number]);
    if (isFirst) {
      if (isInside) starts.push(position);
      before = row;
    } else if (
      isInside &&
      times[row] === times[before] &&
      compareSegments(segments, position, starts.at(-1) as number) < 0
    ) {
      starts[starts.length - 1] = position;
      before = row;
    }
    if (isInside) position++;
  }
  return {
    rows: Uint32Array.from(starts, (at) => inside[at] as number),
    segments: { ...segments, values: Uint32Array.from(starts, (at) => segments.values[at] as number) },
  };
}

/** The buckets in which users came back. Users must be asked for in order, and their times too. */
class Returns {
  private readonly numbers: Uint32Array;
  /** The first row of the next user. */
  private next = 0;
  private user = -1;
  /** The buckets of the user, in order, and the last time in each: the first `size` elements. */
  private buckets = new Uint32Array(64);
  private times = new Float64Array(64);
  private size = 0;
  /** The first bucket that is not over at the last time asked for. */
  private from = 0;

  constructor(
    private readonly table: EventTable,
    private readonly rows: Uint32Array,
    counted: Buckets,
  ) {
    this.numbers = numberBuckets(counted, table.times, rows);
  }

  /**
   * Counts each interval after a bucket in which a user came back at or after a time.
   *
   * @param first where the count of the bucket itself is; those of the `width - 1` intervals after it follow
   */
  countIntervals(user: number, time: number, bucket: number, counts: Uint32Array, first: number, width: number): void {
    if (user !== this.user) this.moveTo(user);
    const { buckets, times, size } = this;
    while (this.from < size && (times[this.from] as number) < time) this.from++;
    for (let at = this.from; at < size && (buckets[at] as number) - bucket < width; at++) {
      (counts[first + (buckets[at] as number) - bucket] as number)++;
    }
  }

  private moveTo(user: number): void {
    const { rows, numbers, table } = this;
    const { users, times } = table;
    this.user = user;
    this.size = 0;
    this.from = 0;
    while (this.next < rows.length && (users[rows[this.next] as number] as number) < user) this.next++;
    for (; this.next < rows.length && users[rows[this.next] as number] === user; this.next++) {
      this.add(numbers[this.next] as number, times[rows[this.next] as number] as number);
    }
  }

  private add(bucket: number, time: number): void {
    if (this.size > 0 && this.buckets[this.size - 1] === bucket) this.size--;
    if (this.size === this.buckets.length) {
      this.buckets = extendArray(this.buckets, 2 * this.size);
      this.times = extendArray(this.times, 2 * this.size);
    }
    this.buckets[this.size] = bucket;
    this.times[this.size] = time;
    this.size++;
  }
}
