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
  /** The first names of properties that `--flatten` reads from its objects and lists of objects. */
  readonly inner: Set<string>;
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 24;

/** One more than is shown, so that it is known whether there are more. */
const MAX_INNER = 5;

/** Longer names are not shown. */
const MAX_INNER_LENGTH = 100;

/** Examples are cut here first: their length limits columns, of which combining marks have none. */
const MAX_EXAMPLE_UNITS = 200;

/** Creates a property without values. */
export function createSeenProperty(): SeenProperty {
  return { ...createPropertyStats(), count: 0, examples: new Set(), inner: new Set() };
}

/**
 * Adds the value of a record.
 *
 * @param inner the names of what is in an object or a list of objects, of which expressions read nothing; such a list is
 *   no example. Undefined for other values.
 */
export function addSeenValue(seen: SeenProperty, value: Value, inner: readonly string[] | undefined): void {
  seen.count++;
  addValue(seen, value);
  if (inner !== undefined) addInner(seen, inner);
  if (seen.examples.size >= MAX_EXAMPLES || value === undefined || inner !== undefined) return;
  const example = truncate(showValue(value).slice(0, MAX_EXAMPLE_UNITS), MAX_EXAMPLE_LENGTH);
  if (!seen.examples.has(example)) seen.examples.add(copyString(example));
}

/** Lists the types of a property, most frequent first. Objects have no value in expressions, and no type there. */
export function listTypes({ types }: SeenProperty): string {
  const ranked = [...types].sort(([, left], [, right]) => right - left);
  return ranked.map(([type]) => (type === 'undefined' ? 'object' : type)).join(', ');
}

/** Returns whether more names of what is in objects would not change those that are shown. */
export function knowsInner({ inner }: SeenProperty): boolean {
  return inner.size >= MAX_INNER;
}

function addInner({ inner }: SeenProperty, names: Iterable<string>): void {
  for (const name of names) if (inner.size < MAX_INNER && name.length <= MAX_INNER_LENGTH) inner.add(name);
}

/** Adds to values what `--flatten` reads from the objects of a property, if it has any. */
export function describeInner({ inner }: SeenProperty, values: string): string {
  if (inner.size === 0) return values;
  const names = [...inner].slice(0, MAX_INNER - 1).join(', ');
  const read = `--flatten reads ${names}${inner.size < MAX_INNER ? '' : ', …'}`;
  return values === '' ? read : `${values}; ${read}`;
}

/** Adds what later records have of the property. */
export function mergeSeenProperty(seen: SeenProperty, other: SeenProperty): void {
  seen.count += other.count;
  mergePropertyStats(seen, other);
  for (const example of other.examples) if (seen.examples.size < MAX_EXAMPLES) seen.examples.add(example);
  addInner(seen, other.inner);
}

/** Returns an equal string in memory of its own. V8 keeps the whole string of which another is a part. */
function copyString(part: string): string {
  return JSON.parse(JSON.stringify(part));
}
