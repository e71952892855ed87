import { Buckets } from '../buckets.ts';
import type { FunnelDate, FunnelRequest, FunnelResult } from '../requests.ts';
import {
  compareNameLists,
  findEvents,
  getOrCreate,
  isInRange,
  type MemoryContext,
  type MemoryEvent,
  prepareFilter,
  prepareSegments,
} from './memory-events.ts';
import { summarizeBuckets } from './summarize-buckets.ts';

/** The number of values of a step in an answer. */
const STEP_NUMBERS = 4;

/** An event of a user, and the steps that it matches. */
interface StepEvent {
  readonly event: MemoryEvent;
  readonly steps: readonly boolean[];
  /** The segments, if it matches the first step in the dates. */
  readonly segments: readonly string[];
}

/** A way of a user through the funnel: the times of the steps that they reach. */
interface Attempt {
  readonly user: string;
  readonly times: readonly number[];
  readonly bucket: number;
  readonly segments: readonly string[];
}

/** Counts the users who reach each step of a funnel. */
export function countFunnel(context: MemoryContext, request: FunnelRequest): FunnelResult {
  const { steps, dates, bucket, on, limit } = request;
  const buckets = Buckets.by(dates, bucket, context.timeZone);
  const byUser = new Map<string, StepEvent[]>();
  for (const step of listStepEvents(context, request, buckets)) {
    getOrCreate(byUser, step.event.user, () => []).push(step);
  }
  const { overall, segments } = summarizeBuckets<Attempt, FunnelDate>({
    entries: [...byUser.values()].flatMap((events) => listAttempts(events.sort(compareSteps), request, buckets)),
    buckets,
    isSegmented: on !== undefined,
    limit,
    size: buckets.labels.length * steps.length * STEP_NUMBERS,
    summarize: (attempts) => countSteps(selectFurthest(attempts), request),
    measure: ([first]) => first?.count ?? 0,
  });
  return { dates: buckets.labels, overall, ...(segments && { segments }) };
}

/** Returns the events that match any step. Filters run on all events that they are for, since any may fail. */
function listStepEvents(context: MemoryContext, request: FunnelRequest, buckets: Buckets): StepEvent[] {
  const { steps, length, on, where } = request;
  const matches = prepareFilter(where, context);
  const filters = steps.map((step) => prepareFilter(step.where, context));
  const listSegments = prepareSegments(on, context);
  const names = steps.map(({ event }) => event);
  const candidates = findEvents(context, names, { from: buckets.from, to: buckets.to + length });
  const selected = candidates.map(matches);
  const matched = candidates.map((event) => {
    return steps.map((step, index) => step.event === event.event && filters[index]?.(event) === true);
  });
  return candidates.flatMap((event, index) => {
    const own = matched[index] ?? [];
    if (!selected[index] || !own.includes(true)) return [];
    const isStart = own[0] === true && isInRange(event.time, buckets);
    return [{ event, steps: own, segments: isStart ? listSegments(event) : [] }];
  });
}

/** Orders events by time; in the same second by their steps, then by their segments. */
function compareSteps(left: StepEvent, right: StepEvent): number {
  return (
    left.event.time - right.event.time ||
    left.steps.indexOf(true) - right.steps.indexOf(true) ||
    compareStepSets(left.steps, right.steps) ||
    compareNameLists(left.segments, right.segments)
  );
}

/** Compares sets of steps by the last step that only one has. */
function compareStepSets(left: readonly boolean[], right: readonly boolean[]): number {
  const last = left.findLastIndex((has, step) => has !== right[step]);
  if (last === -1) return 0;
  return left[last] ? 1 : -1;
}

/** Returns an attempt for each event that starts the funnel in the dates. Each step takes the next event that matches. */
function listAttempts(events: readonly StepEvent[], { steps, length }: FunnelRequest, buckets: Buckets): Attempt[] {
  const next = steps.map((_, step) => listNext(events, step));
  return events.flatMap(({ event: { user, time }, steps: own, segments }, start) => {
    if (!own[0] || !isInRange(time, buckets)) return [];
    const times = [time];
    let at = start;
    for (let step = 1; step < steps.length; step++) {
      at = next[step]?.[at] ?? events.length;
      const found = events[at]?.event;
      if (found === undefined || found.time > time + length) break;
      times.push(found.time);
    }
    return [{ user, times, bucket: buckets.indexOf(time), segments }];
  });
}

/** Returns for each event where the next one is that matches a step. */
function listNext(events: readonly StepEvent[], step: number): number[] {
  const next = new Array<number>(events.length);
  let found = events.length;
  for (let at = events.length - 1; at >= 0; at--) {
    next[at] = found;
    if (events[at]?.steps[step]) found = at;
  }
  return next;
}

/** Returns each user's furthest attempt, the earliest if several are equal. */
function selectFurthest(attempts: readonly Attempt[]): Attempt[] {
  const furthest = new Map<string, Attempt>();
  for (const attempt of attempts) {
    const best = furthest.get(attempt.user);
    if (best === undefined || attempt.times.length > best.times.length) furthest.set(attempt.user, attempt);
  }
  return [...furthest.values()];
}

function countSteps(attempts: readonly Attempt[], { steps }: FunnelRequest): FunnelDate {
  const counts = steps.map((_, step) => attempts.filter(({ times }) => times.length > step).length);
  return steps.map(({ event }, step) => {
    const count = counts[step] ?? 0;
    if (step === 0) return { event, count, stepRatio: 1, overallRatio: 1, averageTime: null };
    const ratioTo = (other: number) => (counts[other] ? count / (counts[other] as number) : 0);
    const seconds = attempts.reduce(
      (sum, { times }) => sum + ((times[step] ?? 0) - (times[step - 1] ?? 0)) * Number(times.length > step),
      0,
    );
    return {
      event,
      count,
      stepRatio: ratioTo(step - 1),
      overallRatio: ratioTo(0),
      averageTime: count === 0 ? null : seconds / count,
    };
  });
}
