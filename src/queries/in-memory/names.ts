import { check } from '../../api/expressions.ts';
import { formatProperty } from '../../base/strings.ts';
import { toSegmentNames } from '../../lang/operators/coercions.ts';
import { compareStrings, type Value } from '../../lang/value.ts';
import { Buckets } from '../buckets.ts';
import { QueryError } from '../errors.ts';
import { chooseDates, chooseOverviewUnit, getOverviewRange } from '../overview-dates.ts';
import type {
  DateRange,
  NameCount,
  NamesRequest,
  Overview,
  OverviewRequest,
  TopPropertiesRequest,
  ValueCount,
  ValuesRequest,
} from '../requests.ts';
import { countEvents } from './counts.ts';
import { findEvents, type MemoryContext, prepareValue, rankTop } from './memory-events.ts';

/** Returns the most frequent names of events, of their properties, or of properties of people, over all time. */
export function countNames({ events, people }: MemoryContext, { of, limit }: NamesRequest): NameCount[] {
  if (of === 'events')
    return rankNames(
      events.map(({ event }) => [event]),
      limit,
    );
  const records = of === 'properties' ? events : people;
  return rankNames(
    records.map(({ properties }) => Object.keys(properties)),
    limit,
  );
}

/** Returns the most frequent properties of an event over all time. */
export function countProperties(context: MemoryContext, { event, limit }: TopPropertiesRequest): NameCount[] {
  return rankNames(
    findEvents(context, [event]).map(({ properties }) => Object.keys(properties)),
    limit,
  );
}

/** Returns the most frequent values of a property over all events. */
export function countValues(context: MemoryContext, { scope, name, limit }: ValuesRequest): ValueCount[] {
  const property = formatProperty(scope, name);
  if (!check(property).ok) throw new QueryError('parameter', 'No property can have this name.', ['name']);
  const read = prepareValue(property, context);
  const found = new Map<string, { readonly name: string; readonly type: ValueCount['type']; count: number }>();
  for (const event of context.events) {
    const value = read(event);
    if (value === undefined) continue;
    const type = getType(value);
    for (const segment of toSegmentNames(value)) {
      const key = `${type} ${segment}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { name: segment, type, count: 1 });
      else known.count++;
    }
  }
  return [...found.values()]
    .sort((left, right) => {
      return right.count - left.count || compareStrings(left.name, right.name) || compareStrings(left.type, right.type);
    })
    .slice(0, limit);
}

/** Returns the number of events, the dates of nearly all, and the most frequent of them over these dates. */
export function describeEvents(context: MemoryContext, { limit }: OverviewRequest): Overview {
  const dates = findDates(context);
  if (dates === undefined) return { dates, unit: 'hour', buckets: [], events: [] };
  const unit = chooseOverviewUnit(dates);
  const counts = countNames(context, { of: 'events', limit });
  const names = counts.map(({ name }) => name);
  const { buckets, series } = countEvents(context, { events: names, type: 'general', unit, period: dates });
  const events = counts.map((count, index) => ({ ...count, values: series[index]?.values ?? [] }));
  return { dates, unit, buckets, events };
}

function findDates(context: MemoryContext): DateRange | undefined {
  const { events, timeZone } = context;
  if (events.length === 0) return undefined;
  const last = events.reduce((latest, { time }) => Math.max(latest, time), Number.NEGATIVE_INFINITY);
  const days = Buckets.units(getOverviewRange(last, timeZone), 'day', timeZone);
  const counts = days.labels.map((day) => ({ day, events: 0 }));
  for (const { time } of findEvents(context, undefined, days)) {
    const day = counts[days.indexOf(time)];
    if (day !== undefined) day.events++;
  }
  return chooseDates(counts);
}

function rankNames(lists: readonly (readonly string[])[], limit: number): NameCount[] {
  const counts = new Map<string, number>();
  for (const names of lists) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return rankTop(counts, limit).map((name) => ({ name, count: counts.get(name) ?? 0 }));
}

function getType(value: Value): ValueCount['type'] {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : (typeof value as ValueCount['type']);
}
