import type { FunnelDate, FunnelRequest, FunnelResult } from '../../../../src/queries/requests.ts';
import type { Reference } from '../reference.ts';
import { isWithin } from './calendar.ts';
import {
  compareNames,
  expectValid,
  groupBy,
  type Occurrence,
  segmentsOf,
  selectEvents,
  selectTop,
} from './occurrence.ts';

/** An event of a user, and the steps that it matches. */
interface Stride {
  readonly occurrence: Occurrence;
  readonly steps: readonly number[];
  /** The segments, if it matches the first step. */
  readonly segments: readonly string[];
}

/** The events of a user that reach the first and further steps. */
type Attempt = readonly [Stride, ...Stride[]];

/** Counts the users who reach each step of a funnel. */
export function funnel(reference: Reference, request: FunnelRequest): FunnelResult {
  const { steps, dates, bucket, on, where, limit } = request;
  expectValid([where, ...steps.map((step) => step.where)], on);
  const buckets = reference.calendar.buckets(dates, bucket);
  const attempts = [...stridesByUser(reference, request).values()].flatMap((strides) =>
    strides.flatMap((first) => startAttempt(first, strides, reference, request)),
  );
  const datesOf = (some: readonly Attempt[]): FunnelDate[] =>
    buckets.labels.map((label) => {
      const started = some.filter(([{ occurrence }]) => buckets.labelOf(occurrence.time) === label);
      return stepsOf(selectFurthest(started), request);
    });
  const overall = datesOf(attempts);
  if (on === undefined) return { dates: buckets.labels, overall };
  const segments = groupBy(attempts, ([{ segments }]) => segments);
  const byName = new Map([...segments].map(([name, own]) => [name, datesOf(own)]));
  const countStarts = (name: string) => (byName.get(name) ?? []).reduce((sum, [first]) => sum + (first?.count ?? 0), 0);
  const top = selectTop(byName.keys(), limit, countStarts).map((name) => ({ name, dates: byName.get(name) ?? [] }));
  return { dates: buckets.labels, overall, segments: top };
}

/** Returns the step events of each user, sorted by time, matching steps and segments. */
function stridesByUser({ data, calendar, moment }: Reference, request: FunnelRequest): Map<string, Stride[]> {
  const { steps, dates, length, on, where } = request;
  const [start, end] = [calendar.startOf(dates.from), calendar.endOf(dates.to) + length];
  const names = steps.map(({ event }) => event);
  const candidates = data.filter(({ event, time }) => names.includes(event) && start <= time && time < end);
  const selected = new Set(selectEvents(where, candidates, moment));
  const matching = steps.map((step) => {
    const named = candidates.filter(({ event }) => event === step.event);
    return new Set(selectEvents(step.where, named, moment).filter((each) => selected.has(each)));
  });
  const firsts = [...(matching[0] ?? [])].filter(({ time }) => isWithin(calendar.dayOf(time), dates));
  const segments = on === undefined ? undefined : segmentsOf(on, firsts, moment);
  const strides = [...selected].map((occurrence) => ({
    occurrence,
    steps: steps.flatMap((_, step) => (matching[step]?.has(occurrence) ? [step] : [])),
    segments: segments?.get(occurrence) ?? [],
  }));
  const useful = strides.filter((each) => each.steps.length > 0).sort(compareStrides);
  return groupBy(useful, ({ occurrence }) => [occurrence.user]);
}

function compareStrides(left: Stride, right: Stride): number {
  return (
    left.occurrence.time - right.occurrence.time ||
    (left.steps[0] ?? 0) - (right.steps[0] ?? 0) ||
    maskOf(left) - maskOf(right) ||
    compareNames(left.segments, right.segments)
  );
}

/** Returns the steps as bits of a number. */
function maskOf({ steps }: Stride): number {
  return steps.reduce((mask, step) => mask + 2 ** step, 0);
}

/** Returns the attempt that begins with an event, if it matches the first step. Each step takes the next match. */
function startAttempt(
  first: Stride,
  strides: readonly Stride[],
  { calendar }: Reference,
  { steps, dates, length }: FunnelRequest,
): Attempt[] {
  const { time } = first.occurrence;
  if (!first.steps.includes(0) || !isWithin(calendar.dayOf(time), dates)) return [];
  const attempt: [Stride, ...Stride[]] = [first];
  for (let step = 1; step < steps.length; step++) {
    const after = strides.indexOf(attempt.at(-1) as Stride) + 1;
    const next = strides.slice(after).find((each) => each.steps.includes(step));
    if (next === undefined || next.occurrence.time > time + length) break;
    attempt.push(next);
  }
  return [attempt];
}

/** Returns each user's furthest attempt, the earliest if several are equal. */
function selectFurthest(attempts: readonly Attempt[]): Attempt[] {
  const byUser = groupBy(attempts, ([{ occurrence }]) => [occurrence.user]);
  return [...byUser.values()].map((own) =>
    own.reduce((best, attempt) => (attempt.length > best.length ? attempt : best)),
  );
}

function stepsOf(attempts: readonly Attempt[], { steps }: FunnelRequest): FunnelDate {
  const reached = (step: number) => attempts.filter((attempt) => attempt.length > step);
  const ratio = (step: number, to: number) => {
    const of = reached(to).length;
    return of === 0 ? 0 : reached(step).length / of;
  };
  return steps.map(({ event }, step) => {
    const count = reached(step).length;
    if (step === 0) return { event, count, stepRatio: 1, overallRatio: 1, averageTime: null };
    const durations = reached(step).map((attempt) => timeOf(attempt, step) - timeOf(attempt, step - 1));
    const averageTime = count === 0 ? null : durations.reduce((sum, duration) => sum + duration, 0) / count;
    return { event, count, stepRatio: ratio(step, step - 1), overallRatio: ratio(step, 0), averageTime };
  });
}

function timeOf(attempt: Attempt, step: number): number {
  return attempt[step]?.occurrence.time ?? 0;
}
