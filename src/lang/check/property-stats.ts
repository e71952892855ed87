import { isWellFormed } from '../../base/strings.ts';
import { TYPE_NAMES, type TypeName } from '../types.ts';
import { getTypeName, type Value } from '../value.ts';
import type { KnownValue, PropertySchema } from './schema.ts';

/** Counts of the types and values of a property in some records: plain data that can be sent between threads. */
export interface PropertyStats {
  readonly types: Map<TypeName, number>;
  /** The number of strings, numbers and booleans, including those in lists. */
  scalars: number;
  /** The distinct ones. Undefined once there are too many, or too long ones, to offer as a choice. */
  values: Set<KnownValue> | undefined;
}

const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 64;

/** Values count as complete if each occurs this often on average. Values that hardly repeat are only a sample. */
const MIN_REPEATS = 5;

/** Creates the statistics of a property without values. */
export function createPropertyStats(): PropertyStats {
  return { types: new Map(), scalars: 0, values: new Set() };
}

/** Adds a value of the property. */
export function addValue(stats: PropertyStats, value: Value): void {
  const type = getTypeName(value);
  stats.types.set(type, (stats.types.get(type) ?? 0) + 1);
  for (const scalar of Array.isArray(value) ? value : [value]) {
    if (scalar === null || scalar === undefined) continue;
    stats.scalars++;
    keepValue(stats, scalar);
  }
}

/** Adds the statistics of other records. */
export function mergePropertyStats(stats: PropertyStats, { types, scalars, values }: PropertyStats): void {
  for (const [type, count] of types) stats.types.set(type, (stats.types.get(type) ?? 0) + count);
  stats.scalars += scalars;
  if (values === undefined) stats.values = undefined;
  else for (const value of values) keepValue(stats, value);
}

/** Returns the schema of the property: its types and, if they repeat, its values, sorted by type and value. */
export function toPropertySchema({ types, scalars, values = new Set() }: PropertyStats): PropertySchema {
  const isKnown = values.size > 0 && scalars >= values.size * MIN_REPEATS;
  return {
    types: TYPE_NAMES.filter((type) => types.has(type)),
    ...(isKnown && { values: [...values].sort(compareValues) }),
  };
}

function keepValue(stats: PropertyStats, value: KnownValue): void {
  if (stats.values === undefined) return;
  if (!isChoice(value) || stats.values.add(value).size > MAX_VALUES) stats.values = undefined;
}

/** Returns whether a value can be offered: not a long string, and no half of a surrogate pair, which has no literal. */
function isChoice(value: KnownValue): boolean {
  return typeof value !== 'string' || (value.length <= MAX_VALUE_LENGTH && isWellFormed(value));
}

function compareValues(left: KnownValue, right: KnownValue): number {
  const types = TYPE_NAMES.indexOf(getTypeName(left)) - TYPE_NAMES.indexOf(getTypeName(right));
  return types || (left < right ? -1 : 1);
}
