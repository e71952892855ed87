import { truncate } from '../../base/strings.ts';
import {
  addValue,
  createPropertyStats,
  mergePropertyStats,
  type PropertyStats,
} from '../../lang/check/property-stats.ts';
import { type Properties, readProperty, showValue, type Value } from '../../lang/value.ts';

/** The types, values and count of a property. */
export interface SeenProperty extends PropertyStats {
  count: number;
  /** The first distinct values. */
  readonly examples: Set<string>;
}

/** The number of records, and their properties by name in order of appearance. */
export interface CensusPart {
  readonly records: number;
  readonly properties: Map<string, SeenProperty>;
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 24;

/** Examples are cut here first: their length limits columns, of which combining marks have none. */
const MAX_EXAMPLE_UNITS = 200;

/** Collects the properties of records with their types and examples. */
export class PropertyCensus {
  records = 0;
  properties = new Map<string, SeenProperty>();

  add(properties: Properties): void {
    this.records++;
    for (const name of Object.keys(properties)) addSeenValue(this.getOrAdd(name), readProperty(properties, name));
  }

  /** Returns and resets what was collected. */
  take(): CensusPart {
    const { records, properties } = this;
    this.records = 0;
    this.properties = new Map();
    return { records, properties };
  }

  /** Adds the census of later records. */
  merge({ records, properties }: CensusPart): void {
    this.records += records;
    for (const [name, other] of properties) mergeSeenProperty(this.getOrAdd(name), other);
  }

  private getOrAdd(name: string): SeenProperty {
    let seen = this.properties.get(name);
    if (seen === undefined) {
      seen = createSeenProperty();
      this.properties.set(name, seen);
    }
    return seen;
  }
}

/** Creates a property without values. */
export function createSeenProperty(): SeenProperty {
  return { ...createPropertyStats(), count: 0, examples: new Set() };
}

/** Adds the value of a record. */
export function addSeenValue(seen: SeenProperty, value: Value): void {
  seen.count++;
  addValue(seen, value);
  if (seen.examples.size >= MAX_EXAMPLES || value === undefined) return;
  const example = truncate(showValue(value).slice(0, MAX_EXAMPLE_UNITS), MAX_EXAMPLE_LENGTH);
  if (!seen.examples.has(example)) seen.examples.add(copyString(example));
}

/** Adds what later records have of the property. */
export function mergeSeenProperty(seen: SeenProperty, other: SeenProperty): void {
  seen.count += other.count;
  mergePropertyStats(seen, other);
  for (const example of other.examples) if (seen.examples.size < MAX_EXAMPLES) seen.examples.add(example);
}

/** Returns an equal string in memory of its own. V8 keeps the whole string of which another is a part. */
function copyString(part: string): string {
  return JSON.parse(JSON.stringify(part));
}
