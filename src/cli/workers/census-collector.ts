import type { EventRecord } from '../../data/event-record.ts';
import { flatten } from '../../data/flatten.ts';
import { readProperty, type Value } from '../../lang/value.ts';
import { CENSUS_LIMITS, type CensusLimits } from './census-limits.ts';
import { addDescribedValue, createDescribedProperty, type DescribedProperty } from './described-property.ts';
import { createPeriod, extendPeriod, type Period } from './period.ts';
import { knowsInner } from './seen-property.ts';
import { shortenId } from './shorten-id.ts';

/** The statistics of consecutive records, as plain data for another thread. */
export interface RecordCensusPart {
  readonly period: Period;
  readonly events: ReadonlyMap<string, Period>;
  readonly users: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, DescribedProperty>;
  /** The properties of each record beyond the limit of names. Their names are not among those above. */
  readonly rest: RestOfProperties;
}

/** Names of properties, and the value of each at the same index. */
interface RestOfProperties {
  readonly names: string[];
  readonly values: Value[];
  /** The names of what is in objects and lists of objects, by their index. */
  readonly inner: Map<number, readonly string[]>;
}

/**
 * Collects what the records of a block have. As it cannot know which properties earlier blocks have, it drops none, but
 * it keeps no statistics, which take far more memory than records, of properties beyond the limit of names.
 */
export class CensusCollector {
  private part = createPart();

  /** @param countsValues whether to count the different values of properties */
  constructor(
    private readonly countsValues: boolean,
    private readonly limits: CensusLimits = CENSUS_LIMITS,
  ) {}

  add({ properties, event, time, distinctId }: EventRecord): void {
    const { period, events, users, rest } = this.part;
    const own = { count: 1, first: time, last: time };
    extendPeriod(period, own);
    if (event !== undefined) {
      const found = events.get(event);
      if (found === undefined) events.set(event, own);
      else extendPeriod(found, own);
    }
    if (distinctId !== undefined) users.add(shortenId(distinctId));
    for (const name of Object.keys(properties)) {
      const value = readProperty(properties, name);
      const property = this.findProperty(name);
      const inner = listInner(name, properties[name], value, property !== undefined && knowsInner(property));
      if (property !== undefined) {
        addDescribedValue(property, value, inner);
      } else {
        if (inner !== undefined) rest.inner.set(rest.names.length, inner);
        rest.names.push(name);
        rest.values.push(value);
      }
    }
  }

  /** Returns and resets what was collected. */
  take(): RecordCensusPart {
    const { part } = this;
    this.part = createPart();
    return part;
  }

  private findProperty(name: string): DescribedProperty | undefined {
    const { properties } = this.part;
    let found = properties.get(name);
    if (found === undefined && properties.size < this.limits.names) {
      found = createDescribedProperty(this.countsValues);
      properties.set(name, found);
    }
    return found;
  }
}

/**
 * Returns the names of the properties that `--flatten` reads from an object or a list of objects, of which expressions
 * read nothing; undefined for other values, and none if they are known already.
 */
function listInner(name: string, raw: unknown, value: Value, areKnown: boolean): readonly string[] | undefined {
  const isUnread =
    value === undefined || (Array.isArray(value) && value.length === 0 && Array.isArray(raw) && raw.length > 0);
  if (!isUnread) return undefined;
  return areKnown ? [] : Object.keys(flatten({ [name]: raw })).filter((inner) => inner !== name);
}

function createPart() {
  return {
    period: createPeriod(),
    events: new Map<string, Period>(),
    users: new Set<string>(),
    properties: new Map<string, DescribedProperty>(),
    rest: { names: [], values: [], inner: new Map() } as RestOfProperties,
  };
}
