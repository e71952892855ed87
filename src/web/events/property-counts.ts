import type { EventRecord } from '../../data/event-record.ts';
import { toSegmentNames } from '../../lang/operators/coercions.ts';
import { compareStrings, readValue, type Value } from '../../lang/value.ts';
import type { CountedName, CountedValue, PropertyScope } from '../shared/property-catalog.ts';

const MAX_NAMES = 255;
const MAX_VALUES = 100;

/** Counts the names of properties. */
export class PropertyCounts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly scope: PropertyScope) {}

  add(record: EventRecord): void {
    for (const name of Object.keys(record[this.scope] ?? {})) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Returns the most frequent names. */
  list(): CountedName[] {
    const found = Array.from(this.counts, ([name, count]) => ({ name, count }));
    return found
      .sort((left, right) => right.count - left.count || compareStrings(left.name, right.name))
      .slice(0, MAX_NAMES);
  }
}

/** Counts the values of a property. */
export class ValueCounts {
  private readonly counts = new Map<string, CountedValue>();

  constructor(
    private readonly scope: PropertyScope,
    private readonly name: string,
  ) {}

  add(record: EventRecord): void {
    const properties = record[this.scope];
    const value =
      properties !== undefined && Object.hasOwn(properties, this.name) ? readValue(properties[this.name]) : undefined;
    if (value === undefined) return;
    const type = typeOf(value);
    for (const name of toSegmentNames(value)) {
      const key = `${type} ${name}`;
      this.counts.set(key, { value: name, type, count: (this.counts.get(key)?.count ?? 0) + 1 });
    }
  }

  /** Returns the most frequent values. */
  list(): CountedValue[] {
    const found = [...this.counts.values()];
    return found
      .sort((left, right) => right.count - left.count || compareStrings(left.value, right.value))
      .slice(0, MAX_VALUES);
  }
}

function typeOf(value: Value): CountedValue['type'] {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : (typeof value as CountedValue['type']);
}
