import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { Buckets } from '../buckets.ts';
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
import { countColumnValues } from './count-column-values.ts';
import { assertName, countEvents } from './counts.ts';
import type { MemoryContext, MemoryPerson } from './memory-context.ts';
import { numberBuckets } from './number-buckets.ts';
import { rankTop } from './row-segments.ts';

/** Returns the most frequent names of events, of their properties, or of properties of people, over all time. */
export async function countNames(context: MemoryContext, { of, limit }: NamesRequest): Promise<NameCount[]> {
  const { table, people, readsEventName, countProperties: count } = context;
  if (of === 'properties') {
    const counts = await count(undefined);
    return rankNames(readsEventName ? new Map([...counts, [EVENT_PROPERTY, table.length]]) : counts, limit);
  }
  return of === 'events' ? rankNames(table.countNames(), limit) : rankNames(countKeys(people), limit);
}

/** Returns the most frequent properties of an event over all time. */
export async function countProperties(context: MemoryContext, request: TopPropertiesRequest): Promise<NameCount[]> {
  return rankNames(await context.countProperties(request.event), request.limit);
}

function countKeys(people: readonly MemoryPerson[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { properties } of people) {
    for (const name of Object.keys(properties)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Returns the most frequent values of a property over all events. */
export function countValues({ table }: MemoryContext, { scope, name, limit }: ValuesRequest): ValueCount[] {
  assertName(name);
  const column = table.getColumn({ scope, name });
  return column === undefined ? [] : countColumnValues(column, table.length, limit);
}

/** Returns the number of events, the dates of nearly all, and the most frequent of them over these dates. */
export function describeEvents(context: MemoryContext, { limit }: OverviewRequest): Overview {
  const dates = findDates(context);
  if (dates === undefined) return { dates, unit: 'hour', buckets: [], events: [] };
  const unit = chooseOverviewUnit(dates);
  const counts = rankNames(context.table.countNames(), limit);
  const names = counts.map(({ name }) => name);
  const { buckets, series } = countEvents(context, { events: names, type: 'general', unit, period: dates });
  const events = counts.map((count, index) => ({ ...count, values: series[index]?.values ?? [] }));
  return { dates, unit, buckets, events };
}

function findDates({ table, timeZone }: MemoryContext): DateRange | undefined {
  if (table.length === 0) return undefined;
  const last = table.times.reduce((latest, time) => Math.max(latest, time), Number.NEGATIVE_INFINITY);
  const days = Buckets.units(getOverviewRange(last, timeZone), 'day', timeZone);
  const counts = days.labels.map((day) => ({ day, events: 0 }));
  for (const number of numberBuckets(days, table.times, table.findRows(undefined, days))) {
    const day = counts[number];
    if (day !== undefined) day.events++;
  }
  return chooseDates(counts);
}

function rankNames(counts: ReadonlyMap<string, number>, limit: number): NameCount[] {
  return rankTop(counts, limit).map((name) => ({ name, count: counts.get(name) ?? 0 }));
}
