import type { ByDate, Cohort, RetentionRequest } from '../../../../src/queries/requests.ts';
import type { Reference } from '../reference.ts';
import { summarizeByDate } from './by-date.ts';
import { bucketsBetween, type Calendar, isWithin } from './calendar.ts';
import {
  compareNames,
  expectValid,
  groupBy,
  type Occurrence,
  segmentsOf,
  selectEvents,
  selectWithoutRaising,
} from './occurrence.ts';

/** The event that puts a user into the cohort of a bucket. */
interface Entry {
  readonly user: string;
  readonly time: number;
  /** The number of the bucket, 0 for the first of the dates. */
  readonly bucket: number;
  readonly label: string | undefined;
  readonly segments: readonly string[];
}

/** Counts the users of each cohort who come back. */
export function retention(reference: Reference, request: RetentionRequest): ByDate<Cohort> {
  const { data, calendar, moment } = reference;
  const { type, dates, bucket, bornWhere, event, where, intervalCount, on, limit } = request;
  expectValid([type === 'birth' ? bornWhere : undefined, where], on);
  const { labels } = calendar.buckets(dates, bucket);
  const bucketOf = numberBuckets(calendar, request);
  const last = bucketsBetween(dates.from, dates.to, bucket) + intervalCount;
  const named = data.filter((each) => event === undefined || each.event === event);
  const candidates = named.filter(({ time }) => calendar.dayOf(time) >= dates.from && bucketOf(time) <= last);
  const returns = selectEvents(where, candidates, moment);
  const byUser = groupBy(returns, ({ user }) => [user]);
  const entries = type === 'birth' ? findBirths(reference, request) : findRecurrences(reference, request, returns);
  const cohort = (some: readonly Entry[]): Cohort => ({
    first: some.length,
    counts: Array.from({ length: intervalCount + 1 }, (_, interval) => {
      const cameBack = (entry: Entry) =>
        byUser.get(entry.user)?.some(({ time }) => time >= entry.time && bucketOf(time) === entry.bucket + interval);
      return some.filter(cameBack).length;
    }),
  });
  return summarizeByDate({
    labels,
    entries,
    segmented: on !== undefined,
    limit,
    summaryOf: cohort,
    sizeOf: ({ first }) => first,
  });
}

/** Returns each user's first born event ever, if it is within the dates. */
function findBirths(reference: Reference, request: RetentionRequest): Entry[] {
  const { data, calendar, moment } = reference;
  const { bornEvent, bornWhere, dates } = request;
  const candidates = data.filter(({ event, time }) => event === bornEvent && time < calendar.endOf(dates.to));
  const isInDates = ({ time }: Occurrence) => isWithin(calendar.dayOf(time), dates);
  const born = selectEvents(bornWhere, candidates.filter(isInDates), moment);
  const before = selectWithoutRaising(
    bornWhere,
    candidates.filter((each) => !isInDates(each)),
    moment,
  );
  const users = groupBy([...before, ...born], ({ user }) => [user]).values();
  return entriesOf([...users], born, reference, request).filter(({ time }) => isWithin(calendar.dayOf(time), dates));
}

/** Returns each user's first event in each bucket of the dates. */
function findRecurrences(reference: Reference, request: RetentionRequest, events: readonly Occurrence[]): Entry[] {
  const { calendar } = reference;
  const within = events.filter(({ time }) => isWithin(calendar.dayOf(time), request.dates));
  const bucketOf = numberBuckets(calendar, request);
  const groups = groupBy(within, ({ user, time }) => [JSON.stringify([user, bucketOf(time)])]).values();
  return entriesOf([...groups], within, reference, request);
}

/** Returns the first event of each group; at the same second, the one whose segment names sort first. */
function entriesOf(
  groups: readonly (readonly Occurrence[])[],
  events: readonly Occurrence[],
  { calendar, moment }: Reference,
  request: RetentionRequest,
): Entry[] {
  const { on, dates, bucket } = request;
  const names = on === undefined ? undefined : segmentsOf(on, events, moment);
  const segmentsOfEvent = (event: Occurrence) => names?.get(event) ?? [];
  const { labelOf } = calendar.buckets(dates, bucket);
  const bucketOf = numberBuckets(calendar, request);
  return groups.map((group) => {
    const first = group.reduce((earliest, event) => {
      const order = event.time - earliest.time || compareNames(segmentsOfEvent(event), segmentsOfEvent(earliest));
      return order < 0 ? event : earliest;
    });
    const { user, time } = first;
    return { user, time, bucket: bucketOf(time), label: labelOf(time), segments: segmentsOfEvent(first) };
  });
}

function numberBuckets(calendar: Calendar, { dates, bucket }: RetentionRequest): (seconds: number) => number {
  return (seconds) => bucketsBetween(dates.from, calendar.dayOf(seconds), bucket);
}
