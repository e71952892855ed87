import { Temporal } from 'temporal-polyfill';
import { check } from '../../api/expressions.ts';
import { formatProperty } from '../../base/strings.ts';
import { toSegmentNames } from '../../lang/operators/coercions.ts';
import { compareStrings } from '../../lang/value.ts';
import { Buckets } from '../buckets.ts';
import { QueryError } from '../errors.ts';
import type {
  EventNamesRequest,
  EventsRequest,
  PropertyRequest,
  PropertyValuesRequest,
  SegmentationRequest,
  Series,
  TopEvent,
  TopEventsRequest,
} from '../requests.ts';
import { BucketCounts, CountCell, type CountedEvent, countNamedSegments, countTopSegments } from './count-series.ts';
import {
  findEvents,
  getOrCreate,
  type MemoryContext,
  type MemoryEvent,
  prepareFilter,
  prepareSegments,
  prepareValue,
  rankTop,
} from './memory-events.ts';

/** The number of days whose event names are listed. */
const RECENT_DAYS = 31;

/** Counts events in each bucket. */
export function countEvents(context: MemoryContext, { events, type, unit, period }: EventsRequest): Series {
  const buckets = Buckets.of(period, unit, context);
  const found = findEvents(context, events, buckets);
  const counted = found.map(({ event, time, user }) => ({ time, user, segments: [event] }));
  return countNamedSegments(counted, buckets, type, [...new Set(events)]);
}

/** Counts an event, in total or in each of the top segments. */
export function countSegmentation(context: MemoryContext, request: SegmentationRequest): Series {
  const { event, dates, type, unit, interval, on, where, limit } = request;
  const { timeZone } = context;
  const buckets =
    interval === undefined ? Buckets.units(dates, unit, timeZone) : Buckets.days(dates, interval, timeZone);
  const [matches, listSegments] = [prepareFilter(where, context), prepareSegments(on, context)];
  const found = findEvents(context, [event], buckets).filter(matches);
  if (on !== undefined) return countTopSegments(toCounted(found, listSegments), buckets, type, limit);
  const counts = new BucketCounts(buckets, type);
  for (const each of found) counts.add(each);
  return { buckets: buckets.labels, series: [{ name: event, values: counts.list() }] };
}

/** Counts an event for each value of a property. */
export function countProperty(context: MemoryContext, request: PropertyRequest): Series {
  const { event, name, values, type, unit, period, limit } = request;
  const buckets = Buckets.of(period, unit, context);
  const counted = listValued(context, event, name, buckets);
  if (values === undefined) return countTopSegments(counted, buckets, type, limit);
  return countNamedSegments(counted, buckets, type, [...new Set(values)].slice(0, limit));
}

/** Returns the most frequent values of a property of an event, over all time. */
export function listPropertyValues(context: MemoryContext, { event, name, limit }: PropertyValuesRequest): string[] {
  const counts = new Map<string, number>();
  for (const { segments } of listValued(context, event, name))
    for (const value of segments) counts.set(value, (counts.get(value) ?? 0) + 1);
  return rankTop(counts, limit);
}

/** Returns the most frequent events of today and their change from yesterday up to the same time of day. */
export function listTopEvents(context: MemoryContext, { type, limit }: TopEventsRequest): TopEvent[] {
  const { timeZone, now } = context;
  const days = Buckets.latest(2, 'day', timeZone, now);
  const minute = Temporal.Instant.fromEpochMilliseconds((now - (now % 60)) * 1000).toZonedDateTimeISO(timeZone);
  const thisTimeYesterday = minute.subtract({ days: 1 }).epochMilliseconds / 1000;
  const [before, today] = [new Map<string, CountCell>(), new Map<string, CountCell>()];
  for (const { event, time, user } of findEvents(context, undefined, days)) {
    const isToday = days.indexOf(time) === 1;
    if (isToday || time <= thisTimeYesterday)
      getOrCreate(isToday ? today : before, event, () => new CountCell(type)).add(user);
  }
  return rankTop(readCells(today), limit).map((event) => {
    const [amount, earlier] = [today.get(event)?.count ?? 0, before.get(event)?.count ?? 0];
    return { event, amount, percentChange: earlier === 0 ? 0 : (amount - earlier) / earlier };
  });
}

/** Returns the names of the most frequent events of the last 31 days, in descending order. */
export function listEventNames(context: MemoryContext, { type, limit }: EventNamesRequest): string[] {
  const days = Buckets.latest(RECENT_DAYS, 'day', context.timeZone, context.now);
  const cells = new Map<string, CountCell>();
  for (const { event, user } of findEvents(context, undefined, days))
    getOrCreate(cells, event, () => new CountCell(type)).add(user);
  return rankTop(readCells(cells), limit).sort((left, right) => compareStrings(right, left));
}

function readCells(cells: ReadonlyMap<string, CountCell>): Map<string, number> {
  return new Map(Array.from(cells, ([name, { count }]) => [name, count]));
}

function toCounted(
  events: readonly MemoryEvent[],
  listSegments: (event: MemoryEvent) => readonly string[],
): CountedEvent[] {
  return events.map((event) => ({ time: event.time, user: event.user, segments: listSegments(event) }));
}

/** Returns the events that have a property, each in the segments of its value. */
function listValued(context: MemoryContext, event: string, name: string, buckets?: Buckets): CountedEvent[] {
  const property = formatProperty('properties', name);
  if (!check(property).ok) throw new QueryError('parameter', 'No property can have this name.', ['name']);
  const read = prepareValue(property, context);
  return findEvents(context, [event], buckets).flatMap((each) => {
    const value = read(each);
    return value === undefined ? [] : [{ time: each.time, user: each.user, segments: toSegmentNames(value) }];
  });
}
