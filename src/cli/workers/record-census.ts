import type { EventRecord } from '../../data/event-record.ts';
import { readProperty } from '../../lang/value.ts';
import { type CensusPart, PropertyCensus } from './property-census.ts';

/** No more different users, names and values than these are kept. */
export const MAX_USERS = 1_000_000;
export const MAX_NAMES = 10_000;
export const MAX_VALUES = 10_000;

/** Values whose JSON is longer are not counted. */
export const MAX_VALUE_LENGTH = 200;

/** The number of records and, in Unix seconds, their first and last time. */
export interface Period {
  count: number;
  first: number | undefined;
  last: number | undefined;
}

/** The values of a property. */
export interface CountedValues {
  /** The number of records by the JSON of the value. Undefined once there are too many different ones. */
  counts: Map<string, number> | undefined;
  /** Whether some values are too long to be counted. */
  hasLong: boolean;
}

/** What consecutive records have, as plain data. */
export interface RecordCensusPart {
  readonly census: CensusPart;
  readonly period: Period;
  readonly events: Map<string, Period>;
  readonly users: Set<string>;
  readonly values: Map<string, CountedValues>;
}

/**
 * Collects the events, users, properties and values of records. Limits apply to merged parts only, so that counts do not
 * depend on how the records are divided: a part is as large as its records.
 */
export class RecordCensus {
  readonly properties = new PropertyCensus();
  period = createPeriod();
  events = new Map<string, Period>();
  users = new Set<string>();
  values = new Map<string, CountedValues>();
  /** What reached its limit. */
  readonly limited = new Set<'events' | 'users' | 'properties'>();

  add({ properties, event, time, distinctId }: EventRecord): void {
    this.properties.add(properties);
    extend(this.period, { count: 1, first: time, last: time });
    if (event !== undefined) extend(getOrAdd(this.events, event, createPeriod), { count: 1, first: time, last: time });
    if (distinctId !== undefined) this.users.add(distinctId);
    for (const name of Object.keys(properties)) {
      const value = readProperty(properties, name);
      if (value === undefined) continue;
      const counted = getOrAdd(this.values, name, createValues);
      const json = JSON.stringify(value);
      if (json.length > MAX_VALUE_LENGTH) counted.hasLong = true;
      else counted.counts?.set(json, (counted.counts.get(json) ?? 0) + 1);
    }
  }

  /** Returns and resets what was collected. */
  take(): RecordCensusPart {
    const { period, events, users, values } = this;
    this.period = createPeriod();
    this.events = new Map();
    this.users = new Set();
    this.values = new Map();
    return { census: this.properties.take(), period, events, users, values };
  }

  /** Adds the census of later records. */
  merge({ census, period, events, users, values }: RecordCensusPart): void {
    extend(this.period, period);
    for (const [name, other] of events) {
      if (this.events.size < MAX_NAMES || this.events.has(name))
        extend(getOrAdd(this.events, name, createPeriod), other);
      else this.limited.add('events');
    }
    for (const user of users) {
      if (this.users.size < MAX_USERS) this.users.add(user);
      else if (!this.users.has(user)) this.limited.add('users');
    }
    const kept = [...census.properties].filter(([name]) => this.keepsProperty(name));
    this.properties.merge({ records: census.records, properties: new Map(kept) });
    for (const [name, other] of values)
      if (this.values.has(name)) mergeValues(getOrAdd(this.values, name, createValues), other);
  }

  /** Returns whether a property is listed. Its values are counted from here on. */
  private keepsProperty(name: string): boolean {
    if (this.values.has(name)) return true;
    if (this.values.size >= MAX_NAMES) {
      this.limited.add('properties');
      return false;
    }
    this.values.set(name, createValues());
    return true;
  }
}

function createPeriod(): Period {
  return { count: 0, first: undefined, last: undefined };
}

function createValues(): CountedValues {
  return { counts: new Map(), hasLong: false };
}

function getOrAdd<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  const found = map.get(name) ?? create();
  map.set(name, found);
  return found;
}

function extend(period: Period, { count, first, last }: Period): void {
  period.count += count;
  if (first !== undefined) period.first = Math.min(first, period.first ?? first);
  if (last !== undefined) period.last = Math.max(last, period.last ?? last);
}

function mergeValues(values: CountedValues, { counts, hasLong }: CountedValues): void {
  values.hasLong ||= hasLong;
  for (const [json, count] of counts ?? []) values.counts?.set(json, (values.counts.get(json) ?? 0) + count);
  if (values.counts !== undefined && values.counts.size > MAX_VALUES) values.counts = undefined;
}
