import { Buckets } from '../buckets.ts';
import type { FunnelDate, FunnelRequest, FunnelResult } from '../requests.ts';
import { isInRange, type TimeRange } from '../time-range.ts';
import { AnswerGroups } from './answer-groups.ts';
import { EventExpressions } from './event-expressions.ts';
import { type EventTable, gather } from './event-table.ts';
import type { MemoryContext } from './memory-context.ts';
import { numberBuckets } from './number-buckets.ts';
import { compareSegments, type RowSegments } from './row-segments.ts';

/** The number of values of a step in an answer. */
const STEP_NUMBERS = 4;

/** The events that match any step, in order of user and time; in the same second of their steps, then their segments. */
interface StepEvents {
  readonly rows: Uint32Array;
  /** The steps that each event matches, one bit for each. */
  readonly steps: Uint32Array;
  /** For each event that starts the funnel in the dates, its number in order plus 1; 0 for other events. */
  readonly starts: Uint32Array;
}

/** The events that start the funnel. */
interface Starts {
  readonly rows: Uint32Array;
  readonly segments: RowSegments;
}

/** Counts the users who reach each step of a funnel. */
export function countFunnel(context: MemoryContext, request: FunnelRequest): FunnelResult {
  const { steps, dates, bucket, on, limit } = request;
  const { table, timeZone } = context;
  const buckets = Buckets.by(dates, bucket, timeZone);
  const { events, starts } = recallStepEvents(context, request, buckets);
  const numbers = numberBuckets(buckets, table.times, starts.rows);
  const users = gather(table.users, starts.rows);
  const { length } = buckets.labels;
  const shape = { buckets, isSegmented: on !== undefined, limit, size: length * steps.length * STEP_NUMBERS };
  const groups = new AnswerGroups({ segments: starts.segments, users, numbers }, shape);
  const totals = new FunnelTotals(groups.count * length, request);
  visitAttempts(table, events, request, {
    addAttempt(start, reached, times) {
      const number = numbers[start] as number;
      for (const group of groups.list(start)) totals.add(group * length + number, reached, times);
    },
    endUser: () => totals.endUser(),
  });
  return groups.summarize((group, number) => totals.read(group * length + number));
}

/** The events of a funnel. */
interface FunnelEvents {
  readonly events: StepEvents;
  readonly starts: Starts;
}

/** The last funnel of each table: those of a trend and of its headline differ only in their buckets. */
const LAST = new WeakMap<EventTable, FunnelEvents & { readonly key: string }>();

function recallStepEvents(context: MemoryContext, request: FunnelRequest, buckets: Buckets): FunnelEvents {
  const { steps, length, on, where } = request;
  const { from, to, gaps } = buckets;
  const key = JSON.stringify([steps, length, on, where, from, to, gaps, context.timeZone, context.now]);
  const last = LAST.get(context.table);
  if (last?.key === key) return last;
  const found = findStepEvents(context, request, buckets);
  LAST.set(context.table, { ...found, key });
  return found;
}

/** Finds the events of the steps. Filters run on all events that they are for, since any may fail. */
function findStepEvents(
  context: MemoryContext,
  { steps, length, on, where }: FunnelRequest,
  buckets: Buckets,
): FunnelEvents {
  const { table } = context;
  const expressions = new EventExpressions(context);
  const select = expressions.compileFilter(where);
  const filtered = steps.flatMap(({ event, where: own }, step) => {
    return own === undefined ? [] : [{ event, step, filter: expressions.compileFilter(own) }];
  });
  const segment = expressions.compileSegments(on);
  const names = steps.map(({ event }) => event);
  const candidates = table.findRows(names, { from: buckets.from, to: buckets.to + length });
  const selected = select(candidates);
  const unfiltered = table.eventNames.map((name) => {
    return steps.reduce((bits, { event, where: own }, step) => {
      return event === name && own === undefined ? bits | (1 << step) : bits;
    }, 0);
  });
  const matched = new Uint32Array(selected.length);
  for (let at = 0; at < selected.length; at++) {
    matched[at] = unfiltered[table.events[selected[at] as number] as number] as number;
  }
  for (const { event, step, filter } of filtered) {
    markSteps(selected, filter(table.selectEvent(candidates, event)), 1 << step, matched);
  }
  const events = keepMatched(selected, matched);
  const rows = numberStarts(table, events, buckets);
  const starts = { rows, segments: segment(rows) };
  sortSeconds(table, events, starts.segments);
  return { events, starts };
}

/** Adds a step to the rows that match it. Both lists of rows are in order. */
function markSteps(rows: Uint32Array, matching: Uint32Array, bit: number, steps: Uint32Array): void {
  let next = 0;
  for (let at = 0; at < rows.length && next < matching.length; at++) {
    const row = rows[at] as number;
    while (next < matching.length && (matching[next] as number) < row) next++;
    if (matching[next] === row) (steps[at] as number) |= bit;
  }
}

function keepMatched(rows: Uint32Array, steps: Uint32Array): StepEvents {
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    rows[count] = rows[at] as number;
    steps[count] = steps[at] as number;
    count += Number(steps[at] !== 0);
  }
  return { rows: rows.subarray(0, count), steps: steps.subarray(0, count), starts: new Uint32Array(count) };
}

/** Numbers the events that start the funnel in the dates. Returns their rows. */
function numberStarts({ times }: EventTable, { rows, steps, starts }: StepEvents, dates: TimeRange): Uint32Array {
  const found = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    if (((steps[at] as number) & 1) === 0 || !isInRange(times[row] as number, dates)) continue;
    found[count] = row;
    starts[at] = ++count;
  }
  return found.subarray(0, count);
}

/** Sorts the events of a user in the same second. */
function sortSeconds({ users, times }: EventTable, events: StepEvents, segments: RowSegments): void {
  const { rows, steps, starts } = events;
  const isTie = (row: number, other: number) => users[row] === users[other] && times[row] === times[other];
  for (let from = 0; from < rows.length; ) {
    let end = from + 1;
    while (end < rows.length && isTie(rows[from] as number, rows[end] as number)) end++;
    if (end > from + 1) {
      const order = Uint32Array.from({ length: end - from }, (_, at) => from + at).sort((at, other) => {
        const [left, right] = [steps[at] as number, steps[other] as number];
        // Sets of steps differ by the last step that only one has, which is the highest bit.
        return (
          getFirstStep(left) - getFirstStep(right) ||
          left - right ||
          compareSegments(segments, (starts[at] as number) - 1, (starts[other] as number) - 1)
        );
      });
      for (const column of [rows, steps, starts])
        column.set(
          order.map((at) => column[at] as number),
          from,
        );
    }
    from = end;
  }
}

function getFirstStep(steps: number): number {
  return 31 - Math.clz32(steps & -steps);
}

interface AttemptVisitor {
  /**
   * Takes a way of a user through the funnel.
   *
   * @param start the number of the start
   * @param reached the number of steps that it reaches
   * @param times their times; the next attempt overwrites them
   */
  addAttempt(start: number, reached: number, times: Float64Array): void;
  /** Is called after the attempts of a user. */
  endUser(): void;
}

/** Visits an attempt for each event that starts the funnel in the dates. Each step takes the next event that matches. */
function visitAttempts(
  { users, times }: EventTable,
  { rows, steps: matched, starts }: StepEvents,
  { steps, length }: FunnelRequest,
  visitor: AttemptVisitor,
): void {
  const count = steps.length;
  const reachedAt = new Float64Array(count);
  // For each event of a user and each step, the place of the next event that matches.
  let next = new Uint32Array(1024 * count);
  for (let from = 0, end = 0; from < rows.length; from = end) {
    const user = users[rows[from] as number];
    let hasStart = false;
    for (; end < rows.length && users[rows[end] as number] === user; end++) hasStart ||= starts[end] !== 0;
    if (!hasStart) continue;
    if ((end - from) * count > next.length) next = new Uint32Array(2 * (end - from) * count);
    for (let step = 1; step < count; step++) {
      let found = end;
      for (let at = end - 1; at >= from; at--) {
        next[(at - from) * count + step] = found;
        if (((matched[at] as number) >> step) & 1) found = at;
      }
    }
    for (let at = from; at < end; at++) {
      const start = starts[at] as number;
      if (start === 0) continue;
      const begin = times[rows[at] as number] as number;
      reachedAt[0] = begin;
      let reached = 1;
      for (let place = at; reached < count; reached++) {
        place = next[(place - from) * count + reached] as number;
        if (place === end || (times[rows[place] as number] as number) > begin + length) break;
        reachedAt[reached] = times[rows[place] as number] as number;
      }
      visitor.addAttempt(start - 1, reached, reachedAt);
    }
    visitor.endUser();
  }
}

/** Counts in each cell the furthest attempt of each user, the earliest if several are equal. */
class FunnelTotals {
  private readonly counts: Uint32Array;
  /** The sums of the seconds since the step before. */
  private readonly seconds: Float64Array;
  /** For each cell, how many steps the furthest attempt of the current user reaches, and their times. */
  private readonly reached: Uint8Array;
  private readonly times: Float64Array;
  /** The cells in which the current user has attempts. */
  private readonly touched: number[] = [];

  constructor(
    cells: number,
    private readonly request: FunnelRequest,
  ) {
    const numbers = cells * request.steps.length;
    this.counts = new Uint32Array(numbers);
    this.seconds = new Float64Array(numbers);
    this.reached = new Uint8Array(cells);
    this.times = new Float64Array(numbers);
  }

  add(cell: number, reached: number, times: Float64Array): void {
    const before = this.reached[cell] as number;
    if (reached <= before) return;
    if (before === 0) this.touched.push(cell);
    this.reached[cell] = reached;
    const first = cell * times.length;
    for (let step = 0; step < reached; step++) this.times[first + step] = times[step] as number;
  }

  endUser(): void {
    const { counts, seconds, times, touched, reached, request } = this;
    for (const cell of touched) {
      const first = cell * request.steps.length;
      for (let at = first; at < first + (reached[cell] as number); at++) {
        (counts[at] as number)++;
        if (at > first) (seconds[at] as number) += (times[at] as number) - (times[at - 1] as number);
      }
      reached[cell] = 0;
    }
    touched.length = 0;
  }

  read(cell: number): FunnelDate {
    const { steps } = this.request;
    const first = cell * steps.length;
    const counts = this.counts.subarray(first, first + steps.length);
    return steps.map(({ event }, step) => {
      const count = counts[step] as number;
      if (step === 0) return { event, count, stepRatio: 1, overallRatio: 1, averageTime: null };
      const ratioTo = (other: number) => (counts[other] ? count / (counts[other] as number) : 0);
      return {
        event,
        count,
        stepRatio: ratioTo(step - 1),
        overallRatio: ratioTo(0),
        averageTime: count === 0 ? null : (this.seconds[first + step] as number) / count,
      };
    });
  }
}
