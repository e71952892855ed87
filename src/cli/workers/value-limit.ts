import type { CensusLimits } from './census-limits.ts';
import type { CountedValues } from './described-property.ts';

/** The bytes of a counted value besides its JSON, about. */
const OVERHEAD = 50;

/**
 * Merges counts of values within two limits: on the different values of each property, and on the bytes of all together.
 * While these are too many, it halves the limit for each property.
 *
 * A property takes the same room for each value, enough for its longest, and once it has more values than the limit,
 * room for one more than the limit, even though its values are dropped. So the room only grows with the records, and
 * what is dropped does not depend on their order.
 */
export class ValueLimit {
  /** The most different values of a property. */
  ofEach: number;
  private room = 0;
  private readonly maxRoom: number;

  /** @param properties All properties whose values are merged. */
  constructor(
    private readonly properties: ReadonlyMap<string, CountedValues>,
    { values, valueBytes }: CensusLimits,
  ) {
    this.ofEach = values;
    this.maxRoom = valueBytes;
  }

  /** Adds the values of later records to those of one of the properties. */
  merge(property: CountedValues, { counts, longest, hasLong }: CountedValues): void {
    property.hasLong ||= hasLong;
    if (longest > property.longest) {
      this.room -= this.measure(property);
      property.longest = longest;
      this.room += this.measure(property);
    }
    for (const [json, count] of counts ?? []) this.add(property, json, count);
    while (this.room > this.maxRoom && this.ofEach > 0) this.halve();
  }

  private add(property: CountedValues, json: string, count: number): void {
    const { counts } = property;
    if (counts === undefined) return;
    const before = counts.size;
    counts.set(json, (counts.get(json) ?? 0) + count);
    if (counts.size === before) return;
    this.room += OVERHEAD + property.longest;
    if (counts.size > this.ofEach) property.counts = undefined;
  }

  private halve(): void {
    this.ofEach = Math.floor(this.ofEach / 2);
    this.room = 0;
    for (const property of this.properties.values()) {
      if (property.counts !== undefined && property.counts.size > this.ofEach) property.counts = undefined;
      this.room += this.measure(property);
    }
  }

  private measure({ counts, longest }: CountedValues): number {
    return (counts?.size ?? this.ofEach + 1) * (OVERHEAD + longest);
  }
}
