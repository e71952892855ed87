import { Temporal } from 'temporal-polyfill';
import { check } from '../../api/expressions.ts';
import { formatProperty } from '../../base/strings.ts';
import { selectRows } from '../../lang/engines/columnar/column-view.ts';
import { countSegments } from '../../lang/engines/columnar/count-segments.ts';
import { getValue } from '../../lang/plan/batch-column.ts';
import { compareStrings } from '../../lang/value.ts';
import { Buckets } from '../buckets.ts';
import { QueryError } from '../errors.ts';
import type {
  CountType,
  EventNamesRequest,
  EventsRequest,
  PropertyRequest,
  PropertyValuesRequest,
  SegmentationRequest,
  Series,
  TopEvent,
  TopEventsRequest,
} from '../requests.ts';
import { Cells } from './cells.ts';
import { countBuckets, countNamedSegments, countTopSegments } from './count-series.ts';
import { EventExpressions } from './event-expressions.ts';
import { type EventTable, filterRows } from './event-table.ts';
import type { MemoryContext } from './memory-context.ts';
import { numberBuckets } from './number-buckets.ts';
import { NO_SEGMENTS, type RowSegments, rankTop, toRowSegments } from './row-segments.ts';

/** The number of days whose event names are listed. */
const RECENT_DAYS = 31;

/** Counts events in each bucket. */
export function countEvents(context: MemoryContext, { events, type, unit, period }: EventsRequest): Series {
  const { table } = context;
  const buckets = Buckets.of(period, unit, context);
  const rows = table.findRows(events, buckets);
  const values = rows.map((row) => table.events[row] as number);
  const segments = { names: table.eventNames, ofValues: table.eventNames.map((_, event) => [event]), values };
  return countNamedSegments({ table, rows, buckets, type }, segments, [...new Set(events)]);
}

/** Counts an event, in total or in each of the top segments. */
export function countSegmentation(context: MemoryContext, request: SegmentationRequest): Series {
  const { event, dates, type, unit, interval, on, where, limit } = request;
  const { timeZone, table } = context;
  const buckets =
    interval === undefined ? Buckets.units(dates, unit, timeZone) : Buckets.days(dates, interval, timeZone);
  const expressions = new EventExpressions(context);
  const [select, segment] = [expressions.compileFilter(where), expressions.compileSegments(on)];
  const rows = select(table.findRows([event], buckets));
  const counted = { table, rows, buckets, type };
  if (on !== undefined) return countTopSegments(counted, segment(rows), limit);
  return { buckets: buckets.labels, series: [{ name: event, values: countBuckets(counted) }] };
}

/** Counts an event for each value of a property. */
export function countProperty(context: MemoryContext, request: PropertyRequest): Series {
  const { event, name, values, type, unit, period, limit } = request;
  const buckets = Buckets.of(period, unit, context);
  const { table } = context;
  const { rows, segments } = findValued(table, event, name, buckets);
  const counted = { table, rows, buckets, type };
  if (values === undefined) return countTopSegments(counted, segments, limit);
  return countNamedSegments(counted, segments, [...new Set(values)].slice(0, limit));
}

/** Returns the most frequent values of a property of an event, over all time. */
export function listPropertyValues({ table }: MemoryContext, { event, name, limit }: PropertyValuesRequest): string[] {
  const { segments } = findValued(table, event, name);
  const counts = new Map<string, number>();
  for (const value of segments.values) {
    for (const segment of segments.ofValues[value] ?? []) {
      const found = segments.names[segment] as string;
      counts.set(found, (counts.get(found) ?? 0) + 1);
    }
  }
  return rankTop(counts, limit);
}

/** Returns the most frequent events of today and their change from yesterday up to the same time of day. */
export function listTopEvents(context: MemoryContext, { type, limit }: TopEventsRequest): TopEvent[] {
  const { table, timeZone, now } = context;
  const days = Buckets.latest(2, 'day', timeZone, now);
  const minute = Temporal.Instant.fromEpochMilliseconds((now - (now % 60)) * 1000).toZonedDateTimeISO(timeZone);
  const thisTimeYesterday = minute.subtract({ days: 1 }).epochMilliseconds / 1000;
  const rows = table.findRows(undefined, days);
  const numbers = numberBuckets(days, table.times, rows);
  const today = countNames(
    table,
    filterRows(rows, (_, at) => numbers[at] === 1),
    type,
  );
  const isBefore = (row: number, at: number) => numbers[at] === 0 && (table.times[row] as number) <= thisTimeYesterday;
  const before = countNames(table, filterRows(rows, isBefore), type);
  return rankTop(today, limit).map((event) => {
    const [amount, earlier] = [today.get(event) ?? 0, before.get(event) ?? 0];
    return { event, amount, percentChange: earlier === 0 ? 0 : (amount - earlier) / earlier };
  });
}

/** Returns the names of the most frequent events of the last 31 days, in descending order. */
export function listEventNames({ table, timeZone, now }: MemoryContext, request: EventNamesRequest): string[] {
  const days = Buckets.latest(RECENT_DAYS, 'day', timeZone, now);
  const counts = countNames(table, table.findRows(undefined, days), request.type);
  return rankTop(counts, request.limit).sort((left, right) => compareStrings(right, left));
}

/** Counts the events or users of each name. */
function countNames(
  { events, users, eventNames }: EventTable,
  rows: Uint32Array,
  type: CountType,
): Map<string, number> {
  const cells = new Cells(eventNames.length);
  for (const row of rows) cells.add(events[row] as number, users[row] as number);
  const counts = eventNames.map((name, event) => [name, cells.count(event, type)] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

/** Returns the events that have a property, each in the segments of its value. */
function findValued(
  table: EventTable,
  event: string,
  name: string,
  buckets?: Buckets,
): { readonly rows: Uint32Array; readonly segments: RowSegments } {
  assertName(name);
  const column = table.getColumn({ scope: 'properties', name });
  if (column === undefined) return { rows: new Uint32Array(0), segments: NO_SEGMENTS };
  const rows = filterRows(table.findRows([event], buckets), (row) => getValue(column, row) !== undefined);
  return { rows, segments: toRowSegments(countSegments(selectRows(column, rows), rows.length)) };
}

/** @throws {QueryError} if no property can have this name */
export function assertName(name: string): void {
  if (!check(formatProperty('properties', name)).ok)
    throw new QueryError('parameter', 'No property can have this name.', ['name']);
}
