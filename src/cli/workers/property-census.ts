import { truncate } from '../../base/strings.ts';
import {
  addValue,
  createPropertyStats,
  mergePropertyStats,
  type PropertyStats,
} from '../../lang/check/property-stats.ts';
import { type Properties, readProperty, showValue } from '../../lang/value.ts';

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

/** Collects the properties of records with their types and examples. */
export class PropertyCensus {
  records = 0;
  properties = new Map<string, SeenProperty>();

  add(properties: Properties): void {
    this.records++;
    for (const name of Object.keys(properties)) {
      const value = readProperty(properties, name);
      const seen = this.getOrAdd(name);
      seen.count++;
      addValue(seen, value);
      if (seen.examples.size < MAX_EXAMPLES && value !== undefined) {
        seen.examples.add(truncate(showValue(value), MAX_EXAMPLE_LENGTH));
      }
    }
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
    for (const [name, other] of properties) {
      const seen = this.getOrAdd(name);
      seen.count += other.count;
      mergePropertyStats(seen, other);
      for (const example of other.examples) if (seen.examples.size < MAX_EXAMPLES) seen.examples.add(example);
    }
  }

  private getOrAdd(name: string): SeenProperty {
    let seen = this.properties.get(name);
    if (seen === undefined) {
      seen = { ...createPropertyStats(), count: 0, examples: new Set() };
      this.properties.set(name, seen);
    }
    return seen;
  }
}
