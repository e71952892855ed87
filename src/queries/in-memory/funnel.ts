import { Buckets } from '../buckets.ts';
import type { FunnelDate, FunnelRequest, FunnelResult } from '../requests.ts';
import { AnswerGroups } from './answer-groups.ts';
import { EventExpressions } from './event-expressions.ts';
import type { EventTable } from './event-table.ts';
import type { MemoryContext } from './memory-context.ts';
import { numberBuckets } from './number-buckets.ts';
import { compareSegments, type RowSegments } from './row-segments.ts';

/** The number of values of a step in an answer. */
const STEP_NUMBERS = 4;

/** The events that match any step, in order of user and time; in the same second of their steps, then their segments. */
interface StepEvents {
  readonly rows: Uint32Array;
  /** The steps that each row of the table matches, one bit for each. */
  readonly steps: Uint32Array;
  /** For each row of the table that starts the funnel in the dates, its number in order plus 1; 0 for other rows. */
  readonly starts: Uint32Array;
  /** The rows of the starts, by number. */
  readonly startRows: Uint32Array;
  /** The segments of the starts. */
  readonly segments: RowSegments;
}

/** Counts the users who reach each step of a funnel. */
export function countFunnel(context: MemoryContext, request: FunnelRequest): FunnelResult {
  const { steps, dates, bucket, on, limit } = request;
  const { table, timeZone } = context;
  const buckets = Buckets.by(dates, bucket, timeZone);
  const events = findStepEvents(context, request, buckets);
  const { startRows, segments } = events;
  const numbers = numberBuckets(buckets, table.times, startRows);
  const users = startRows.map((row) => table.users[row] as number);
  const { length } = buckets.labels;
  const shape = { buckets, isSegmented: on !== undefined, limit, size: length * steps.length * STEP_NUMBERS };
  const groups = new AnswerGroups({ segments, users, numbers }, shape);
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

/** Finds the events of the steps. Filters run on all events that they are for, since any may fail. */
function findStepEvents(context: MemoryContext, request: FunnelRequest, buckets: Buckets): StepEvents {
  const { steps: wanted, length, on, where } = request;
  const { table } = context;
  const span = { from: buckets.from, to: buckets.to + length };
  const expressions = new EventExpressions(context);
  const select = expressions.compileFilter(where);
  const filters = wanted.map((step) => expressions.compileFilter(step.where));
  const segment = expressions.compileSegments(on);
  const selected = select(
    table.findRows(
      wanted.map(({ event }) => event),
      span,
    ),
  );
  const steps = new Uint32Array(table.length);
  for (const [index, { event }] of wanted.entries()) {
    for (const row of filters[index]?.(table.findRows([event], span)) ?? []) (steps[row] as number) |= 1 << index;
  }
  const rows = selected.filter((row) => steps[row] !== 0);
  const first = rows.filter((row) => ((steps[row] as number) & 1) === 1);
  const startRows = table.selectRange(first, buckets);
  const starts = new Uint32Array(table.length);
  for (let start = 0; start < startRows.length; start++) starts[startRows[start] as number] = start + 1;
  const events = { rows, steps, starts, startRows, segments: segment(startRows) };
  sortSeconds(table, events);
  return events;
}

/** Sorts the events of a user in the same second. */
function sortSeconds({ users, times }: EventTable, events: StepEvents): void {
  const { rows, steps, starts, segments } = events;
  const isTie = (row: number, other: number) => users[row] === users[other] && times[row] === times[other];
  for (let from = 0; from < rows.length; ) {
    let end = from + 1;
    while (end < rows.length && isTie(rows[from] as number, rows[end] as number)) end++;
    if (end > from + 1) {
      rows.subarray(from, end).sort((row, other) => {
        const [left, right] = [steps[row] as number, steps[other] as number];
        // Sets of steps differ by the last step that only one has, which is the highest bit.
        return (
          getFirstStep(left) - getFirstStep(right) ||
          left - right ||
          compareSegments(segments, (starts[row] as number) - 1, (starts[other] as number) - 1)
        );
      });
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
    while (end < rows.length && users[rows[end] as number] === user) end++;
    if ((end - from) * count > next.length) next = new Uint32Array(2 * (end - from) * count);
    for (let step = 1; step < count; step++) {
      let found = end;
      for (let at = end - 1; at >= from; at--) {
        next[(at - from) * count + step] = found;
        if (((matched[rows[at] as number] as number) >> step) & 1) found = at;
      }
    }
    for (let at = from; at < end; at++) {
      const start = starts[rows[at] as number] as number;
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
