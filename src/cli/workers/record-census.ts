import type { RecordCensusPart } from './census-collector.ts';
import { CENSUS_LIMITS, type CensusLimits } from './census-limits.ts';
import { addDescribedValue, createDescribedProperty, type DescribedProperty } from './described-property.ts';
import { createPeriod, extendPeriod, type Period } from './period.ts';
import { mergeSeenProperty } from './seen-property.ts';
import { ValueLimit } from './value-limit.ts';

/**
 * The events, users, properties and values of records. It holds the same for the same records, however they are divided
 * into parts: the limits keep the names that appear first.
 */
export class RecordCensus {
  readonly period = createPeriod();
  readonly events = new Map<string, Period>();
  readonly users = new Set<string>();
  readonly properties = new Map<string, DescribedProperty>();
  /** The lists that are incomplete because a limit was reached. */
  readonly limited = new Set<'events' | 'users' | 'properties' | 'values'>();
  private readonly valueLimit: ValueLimit;

  /** @param countsValues whether the different values of properties are counted, as in the parts */
  constructor(
    private readonly countsValues: boolean,
    readonly limits: CensusLimits = CENSUS_LIMITS,
  ) {
    this.valueLimit = new ValueLimit(this.properties, limits);
  }

  /** The most different values of a property that are counted. Falls if all properties together have too many. */
  get maxValues(): number {
    return this.valueLimit.ofEach;
  }

  /** Adds the census of later records. */
  merge({ period, events, users, properties, rest }: RecordCensusPart): void {
    extendPeriod(this.period, period);
    for (const [name, other] of events) {
      const found = this.find('events', this.events, name, createPeriod);
      if (found !== undefined) extendPeriod(found, other);
    }
    for (const user of users) {
      if (this.users.size < this.limits.users) this.users.add(user);
      else if (!this.users.has(user)) this.limited.add('users');
    }
    for (const [name, other] of properties) this.mergeProperty(name, () => other);
    for (const [index, name] of rest.names.entries()) {
      this.mergeProperty(name, () => {
        const property = this.createProperty();
        addDescribedValue(property, rest.values[index], rest.inner.get(index));
        return property;
      });
    }
    if (this.maxValues < this.limits.values) this.limited.add('values');
  }

  private mergeProperty(name: string, read: () => DescribedProperty): void {
    const property = this.find('properties', this.properties, name, () => this.createProperty());
    if (property === undefined) return;
    const other = read();
    mergeSeenProperty(property, other);
    this.valueLimit.merge(property, other);
  }

  private createProperty(): DescribedProperty {
    return createDescribedProperty(this.countsValues);
  }

  /** Returns the item of a name, and undefined for a name that is not kept. */
  private find<Item>(
    kind: 'events' | 'properties',
    items: Map<string, Item>,
    name: string,
    create: () => Item,
  ): Item | undefined {
    let found = items.get(name);
    if (found === undefined) {
      if (items.size >= this.limits.names || name.length > this.limits.nameLength) {
        this.limited.add(kind);
        return undefined;
      }
      found = create();
      items.set(name, found);
    }
    return found;
  }
}
