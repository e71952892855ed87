import { Buckets } from '../buckets.ts';
import { QueryError } from '../errors.ts';
import type { ByDate, Cohort, RetentionRequest } from '../requests.ts';
import {
  compareNameLists,
  type Evaluate,
  findEvents,
  getOrCreate,
  isInRange,
  type MemoryContext,
  type MemoryEvent,
  prepareFilter,
  prepareSegments,
} from './memory-events.ts';
import { summarizeBuckets } from './summarize-buckets.ts';

/** The event that puts a user into the cohort of a bucket. */
interface Start {
  readonly user: string;
  readonly time: number;
  readonly bucket: number;
  readonly segments: readonly string[];
}

/** The buckets in which a user came back, with the last time in each. */
type Returns = ReadonlyMap<number, number>;

/** Counts the users of each cohort who come back. */
export function countRetention(context: MemoryContext, request: RetentionRequest): ByDate<Cohort> {
  const { type, dates, bucket, bornEvent, bornWhere, event, where, intervalCount, on, limit } = request;
  const buckets = Buckets.by(dates, bucket, context.timeZone);
  const counted = buckets.continued(intervalCount);
  if (type === 'birth' && bornEvent === undefined)
    throw new QueryError('parameter', 'Missing required parameter: born_event');
  const isBorn = prepareFilter(type === 'birth' ? bornWhere : undefined, context);
  const isReturn = prepareFilter(where, context);
  const listSegments = prepareSegments(on, context);
  const found = findEvents(context, event === undefined ? undefined : [event], counted).filter(isReturn);
  const starts =
    type === 'birth'
      ? findFirst(
          findEvents(context, [bornEvent ?? ''], { from: 0, to: buckets.to }).filter((each) =>
            isInRange(each.time, buckets) ? isBorn(each) : isSelectedIfValid(isBorn, each),
          ),
          buckets,
          listSegments,
          ({ user }) => user,
        )
      : findFirst(
          found.filter(({ time }) => isInRange(time, buckets)),
          buckets,
          listSegments,
          ({ user, time }) => `${buckets.indexOf(time)} ${user}`,
        );
  const returns = listReturns(found, counted);
  const { overall, segments } = summarizeBuckets({
    entries: starts,
    buckets,
    isSegmented: on !== undefined,
    limit,
    size: buckets.labels.length * (intervalCount + 2),
    summarize: (some) => countCohort(some, returns, intervalCount),
    measure: ({ first }) => first,
  });
  return { dates: buckets.labels, ...(on === undefined ? { overall } : { segments: segments ?? [] }) };
}

/** Evaluates a filter on an event that does not raise: if the filter fails, the event is not selected. */
function isSelectedIfValid(filter: Evaluate<boolean>, event: MemoryEvent): boolean {
  try {
    return filter(event);
  } catch (error) {
    if (error instanceof QueryError) return false;
    throw error;
  }
}

/**
 * Returns the first event of each group, if it is within the buckets; at the same second, the one whose segments sort
 * first.
 */
function findFirst(
  events: readonly MemoryEvent[],
  buckets: Buckets,
  listSegments: (event: MemoryEvent) => readonly string[],
  getGroup: (event: MemoryEvent) => string,
): Start[] {
  const first = new Map<string, { readonly event: MemoryEvent; readonly segments: readonly string[] }>();
  for (const event of events) {
    const segments = isInRange(event.time, buckets) ? listSegments(event) : [];
    const group = getGroup(event);
    const before = first.get(group);
    const order = before && (event.time - before.event.time || compareNameLists(segments, before.segments));
    if (order === undefined || order < 0) first.set(group, { event, segments });
  }
  return [...first.values()]
    .filter(({ event }) => isInRange(event.time, buckets))
    .map(({ event: { user, time }, segments }) => ({ user, time, bucket: buckets.indexOf(time), segments }));
}

function listReturns(events: readonly MemoryEvent[], counted: Buckets): ReadonlyMap<string, Returns> {
  const returns = new Map<string, Map<number, number>>();
  for (const { user, time } of events) {
    const own = getOrCreate(returns, user, () => new Map<number, number>());
    const bucket = counted.indexOf(time);
    own.set(bucket, Math.max(own.get(bucket) ?? time, time));
  }
  return returns;
}

function countCohort(starts: readonly Start[], returns: ReadonlyMap<string, Returns>, intervalCount: number): Cohort {
  const counts = new Array<number>(intervalCount + 1).fill(0);
  for (const start of starts) {
    for (const [bucket, lastTime] of returns.get(start.user) ?? []) {
      const interval = bucket - start.bucket;
      if (interval < 0 || interval > intervalCount || lastTime < start.time) continue;
      counts[interval] = (counts[interval] ?? 0) + 1;
    }
  }
  return { first: starts.length, counts };
}
