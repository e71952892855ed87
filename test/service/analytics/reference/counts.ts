import { Temporal } from 'temporal-polyfill';
import { check } from '../../../../src/api/expressions.ts';
import { compareStrings } from '../../../../src/lang/value.ts';
import { QueryError } from '../../../../src/queries/errors.ts';
import type {
  AggregateRequest,
  CountType,
  EventNamesRequest,
  EventsRequest,
  NameCount,
  NamedValues,
  NamesRequest,
  Overview,
  OverviewRequest,
  PropertyRequest,
  PropertyValuesRequest,
  SegmentationRequest,
  Series,
  TopEvent,
  TopEventsRequest,
  TopPropertiesRequest,
  ValueCount,
  ValuesRequest,
} from '../../../../src/queries/requests.ts';
import type { QueryMoment } from '../../../../src/service/store/filter-snapshot.ts';
import type { Reference } from '../reference.ts';
import { type Buckets, dayAfter, isWithin } from './calendar.ts';
import {
  countUsers,
  expectValid,
  groupBy,
  type Occurrence,
  segmentsOf,
  selectEvents,
  selectTop,
  valuesOf,
} from './occurrence.ts';

/** Counts events; `average` is events per user. */
export function count(type: CountType, events: readonly Occurrence[]): number {
  if (type === 'general') return events.length;
  if (type === 'unique') return countUsers(events);
  return events.length === 0 ? 0 : events.length / countUsers(events);
}

/** Returns a count for each bucket. */
export function countPerBucket(
  { labels, labelOf }: Buckets,
  events: readonly Occurrence[],
  numberOf: (events: readonly Occurrence[]) => number,
): number[] {
  const byLabel = groupBy(events, ({ time }) => [labelOf(time)]);
  return labels.map((label) => numberOf(byLabel.get(label) ?? []));
}

/** Counts events, one series for each. */
export function events(
  { data, calendar, moment: { now } }: Reference,
  { events: names, type, unit, period }: EventsRequest,
): Series {
  const buckets = 'latest' in period ? calendar.latest(now, period, unit) : calendar.buckets(period, { unit });
  const series = [...new Set(names)].map((name) => {
    const matching = data.filter(({ event }) => event === name);
    return { name, values: countPerBucket(buckets, matching, (some) => count(type, some)) };
  });
  return { buckets: buckets.labels, series };
}

/** Returns the most frequent events of today, compared with yesterday until the same minute. */
export function topEvents(
  { data, calendar, moment: { now } }: Reference,
  { type, limit }: TopEventsRequest,
): TopEvent[] {
  const today = calendar.dayOf(now);
  const thisTimeYesterday = calendar.dayBefore(now);
  const on = (day: string) =>
    groupBy(
      data.filter(({ time }) => calendar.dayOf(time) === day && (day === today || time <= thisTimeYesterday)),
      ({ event }) => [event],
    );
  const [todays, yesterdays] = [on(today), on(dayAfter(today, -1))];
  const amountOf = (name: string) => count(type, todays.get(name) ?? []);
  return selectTop(todays.keys(), limit, amountOf).map((event) => {
    const before = count(type, yesterdays.get(event) ?? []);
    return { event, amount: amountOf(event), percentChange: before === 0 ? 0 : (amountOf(event) - before) / before };
  });
}

/** Returns the most frequent event names of the last 31 days including today, in descending order. */
export function eventNames(
  { data, calendar, moment: { now } }: Reference,
  { type, limit }: EventNamesRequest,
): string[] {
  const today = calendar.dayOf(now);
  const days = { from: dayAfter(today, -30), to: today };
  const recent = groupBy(
    data.filter(({ time }) => isWithin(calendar.dayOf(time), days)),
    ({ event }) => [event],
  );
  const names = selectTop(recent.keys(), limit, (name) => count(type, recent.get(name) ?? []));
  return names.sort((left, right) => compareStrings(right, left));
}

/** Counts an event for each value of a property. */
export function property({ data, calendar, moment }: Reference, request: PropertyRequest): Series {
  const { event, name, values, type, unit, period, limit } = request;
  const buckets = 'latest' in period ? calendar.latest(moment.now, period, unit) : calendar.buckets(period, { unit });
  const matching = data.filter((each) => each.event === event && buckets.labelOf(each.time) !== undefined);
  const segments = segmentsOfProperty(name, matching, moment);
  const names = values === undefined ? selectTopSegments(segments, type, limit) : [...new Set(values)].slice(0, limit);
  return seriesOf(buckets, segments, names, type);
}

/** Returns the most frequent properties of an event. */
export function topProperties({ data }: Reference, { event, limit }: TopPropertiesRequest): NameCount[] {
  const matching = data.filter((each) => each.event === event);
  const withProperty = groupBy(matching, ({ properties }) => Object.keys(properties));
  return rank(withProperty, limit);
}

/** Returns the most frequent values of a property of an event. */
export function propertyValues({ data, moment }: Reference, { event, name, limit }: PropertyValuesRequest): string[] {
  const matching = data.filter((each) => each.event === event);
  return selectTopSegments(segmentsOfProperty(name, matching, moment), 'general', limit);
}

/** Returns the dates of all events but the first and the last 0.5%, and the most frequent events over these dates. */
export function overview(reference: Reference, { limit }: OverviewRequest): Overview {
  const { data, calendar } = reference;
  const days = data.map(({ time }) => calendar.dayOf(time)).sort();
  const last = days.at(-1);
  if (last === undefined) return { dates: undefined, unit: 'hour', buckets: [], events: [] };
  const first = Temporal.PlainDate.from(last).subtract({ years: 20 }).toString();
  const within = days.filter((day) => day >= first);
  // More than 0.5% of the events are on this day and those before it.
  const firstOf = (sorted: string[]) => sorted[Math.floor(sorted.length * 0.005)] as string;
  const dates = { from: firstOf(within), to: firstOf(within.toReversed()) };
  const length = (Date.parse(dates.to) - Date.parse(dates.from)) / 86_400_000 + 1;
  const unit = length <= 2 ? 'hour' : length <= 92 ? 'day' : length <= 731 ? 'week' : 'month';
  const counts = names(reference, { of: 'events', limit });
  const request = { events: counts.map(({ name }) => name), type: 'general', unit, period: dates } as const;
  const { buckets, series } = events(reference, request);
  return {
    dates,
    unit,
    buckets,
    events: counts.map((each, index) => ({ ...each, ...(series[index] as NamedValues) })),
  };
}

/** Returns the most frequent names of events, of their properties, or of properties of people. */
export function names({ data, people }: Reference, { of, limit }: NamesRequest): NameCount[] {
  if (of === 'events')
    return rank(
      groupBy(data, ({ event }) => [event]),
      limit,
    );
  const records = of === 'properties' ? data : people;
  return rank(
    groupBy<string, { properties: object }>(records, ({ properties }) => Object.keys(properties)),
    limit,
  );
}

/** Returns the most frequent values of a property over all events. */
export function values({ data, moment }: Reference, { scope, name, limit }: ValuesRequest): ValueCount[] {
  const groups = segmentsOfProperty(name, data, moment, scope);
  const values = valuesOf(`${scope}[${JSON.stringify(name)}]`, data, moment);
  const typeOf = (each: Occurrence): ValueCount['type'] => {
    const value = values.get(each);
    return value === null ? 'null' : Array.isArray(value) ? 'list' : (typeof value as 'string');
  };
  const found = [...groups].flatMap(([name, some]) =>
    [...groupBy(some, (each) => [typeOf(each)])].map(([type, { length }]) => ({ name, type, count: length })),
  );
  const order = (left: ValueCount, right: ValueCount) =>
    right.count - left.count || compareStrings(left.name, right.name) || compareStrings(left.type, right.type);
  return found.sort(order).slice(0, limit);
}

function rank(groups: ReadonlyMap<string, readonly unknown[]>, limit: number): NameCount[] {
  const countOf = (name: string) => groups.get(name)?.length ?? 0;
  return selectTop(groups.keys(), limit, countOf).map((name) => ({ name, count: countOf(name) }));
}

/** Counts an event in each segment. */
export function segmentation({ data, calendar, moment }: Reference, request: SegmentationRequest): Series {
  const { event, dates, type, unit, interval, on, where, limit } = request;
  expectValid([where], on);
  const buckets = calendar.buckets(dates, interval === undefined ? { unit } : { days: interval });
  const candidates = data.filter((each) => each.event === event && buckets.labelOf(each.time) !== undefined);
  const matching = selectEvents(where, candidates, moment);
  if (on === undefined) return seriesOf(buckets, new Map([[event, matching]]), [event], type);
  const names = segmentsOf(on, matching, moment);
  const segments = groupBy(matching, (each) => names.get(each) ?? []);
  return seriesOf(buckets, segments, selectTopSegments(segments, type, limit), type);
}

/** Returns the sum or mean of a number over the events of each bucket. Other values count as 0. */
export function aggregate({ data, calendar, moment }: Reference, request: AggregateRequest): Series {
  const { event, dates, unit, on, where } = request;
  expectValid([where], on);
  const buckets = calendar.buckets(dates, { unit });
  const candidates = data.filter((each) => each.event === event && buckets.labelOf(each.time) !== undefined);
  const matching = selectEvents(where, candidates, moment);
  const values = valuesOf(on, matching, moment);
  const numberOf = (each: Occurrence) => {
    const value = values.get(each);
    return typeof value === 'number' ? value : 0;
  };
  // A sum that exceeds a double on the way may be finite in the end.
  const scaled = (some: readonly Occurrence[]) => some.reduce((total, each) => total + numberOf(each) / 2 ** 64, 0);
  const sum = (some: readonly Occurrence[]) => scaled(some) * 2 ** 64;
  const mean = (some: readonly Occurrence[]) => (some.length === 0 ? 0 : (scaled(some) / some.length) * 2 ** 64);
  const numbers = countPerBucket(buckets, matching, request.aggregate === 'sum' ? sum : mean);
  return { buckets: buckets.labels, series: [{ name: event, values: numbers }] };
}

/** Returns the events of each value of a property, named like segments; skips events without the property. */
function segmentsOfProperty(
  name: string,
  events: readonly Occurrence[],
  moment: QueryMoment,
  scope: 'properties' | 'user' = 'properties',
): Map<string, Occurrence[]> {
  const source = `${scope}[${JSON.stringify(name)}]`;
  if (!check(source).ok) throw new QueryError('parameter', 'No property can have this name.', ['name']);
  const values = valuesOf(source, events, moment);
  const withProperty = events.filter((each) => values.get(each) !== undefined);
  const names = segmentsOf(source, withProperty, moment);
  return groupBy(withProperty, (each) => names.get(each) ?? []);
}

/** Returns the top segments by the total of all buckets, in events or unique users. */
function selectTopSegments(segments: ReadonlyMap<string, Occurrence[]>, type: CountType, limit: number): string[] {
  const total = type === 'unique' ? 'unique' : 'general';
  return selectTop(segments.keys(), limit, (name) => count(total, segments.get(name) ?? []));
}

function seriesOf(
  buckets: Buckets,
  segments: ReadonlyMap<string, readonly Occurrence[]>,
  names: readonly string[],
  type: CountType,
): Series {
  const series = names.map((name) => {
    return { name, values: countPerBucket(buckets, segments.get(name) ?? [], (some) => count(type, some)) };
  });
  return { buckets: buckets.labels, series };
}
