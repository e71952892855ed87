import { truncate } from '../../base/strings.ts';
import {
  addValue,
  createPropertyStats,
  mergePropertyStats,
  type PropertyStats,
} from '../../lang/check/property-stats.ts';
import { showValue, type Value } from '../../lang/value.ts';

/** The types, values and count of a property. */
export interface SeenProperty extends PropertyStats {
  count: number;
  /** The first distinct values. */
  readonly examples: Set<string>;
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 24;

/** Examples are cut here first: their length limits columns, of which combining marks have none. */
const MAX_EXAMPLE_UNITS = 200;

/** Creates a property without values. */
export function createSeenProperty(): SeenProperty {
  return { ...createPropertyStats(), count: 0, examples: new Set() };
}

/** Adds the value of a record. An opaque one is no example. */
export function addSeenValue(seen: SeenProperty, value: Value, isOpaque: boolean): void {
  seen.count++;
  addValue(seen, value);
  if (seen.examples.size >= MAX_EXAMPLES || value === undefined || isOpaque) return;
  const example = truncate(showValue(value).slice(0, MAX_EXAMPLE_UNITS), MAX_EXAMPLE_LENGTH);
  if (!seen.examples.has(example)) seen.examples.add(copyString(example));
}

/** Lists the types of a property, most frequent first. Objects have no value in expressions, and no type there. */
export function listTypes({ types }: SeenProperty): string {
  const ranked = [...types].sort(([, left], [, right]) => right - left);
  return ranked.map(([type]) => (type === 'undefined' ? 'object' : type)).join(', ');
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
