import { TYPE_NAMES, type TypeName } from '../types.ts';
import { isWellFormed } from '../util/strings.ts';
import { getTypeName, type Value } from '../value.ts';
import type { KnownValue, PropertySchema } from './schema.ts';

/** What was seen of a property in some records: plain data, which can be sent between threads. */
export interface PropertyStats {
  readonly types: Map<TypeName, number>;
  /** How many texts, numbers and booleans there were, those in lists included. */
  scalars: number;
  /** Those that differ; undefined once they are more, or longer, than people choose from. */
  values: Set<KnownValue> | undefined;
}

const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 64;

/** Values that hardly repeat are those of a sample, not all that there are. */
const TIMES = 5;

/** Nothing seen yet. */
export function createPropertyStats(): PropertyStats {
  return { types: new Map(), scalars: 0, values: new Set() };
}

/** Takes a value in. */
export function addValue(seen: PropertyStats, value: Value): void {
  const type = getTypeName(value);
  seen.types.set(type, (seen.types.get(type) ?? 0) + 1);
  for (const scalar of Array.isArray(value) ? value : [value]) {
    if (scalar === null || scalar === undefined) continue;
    seen.scalars++;
    keep(seen, scalar);
  }
}

/** Takes in what was seen in other records. */
export function mergePropertyStats(seen: PropertyStats, { types, scalars, values }: PropertyStats): void {
  for (const [type, times] of types) seen.types.set(type, (seen.types.get(type) ?? 0) + times);
  seen.scalars += scalars;
  if (values === undefined) seen.values = undefined;
  else for (const value of values) keep(seen, value);
}

/** What this tells of the property: its types and, where they repeat, its values, by type and in order. */
export function toPropertySchema({ types, scalars, values = new Set() }: PropertyStats): PropertySchema {
  const isKnown = values.size > 0 && scalars >= values.size * TIMES;
  return {
    types: TYPE_NAMES.filter((type) => types.has(type)),
    ...(isKnown && { values: [...values].sort(inOrder) }),
  };
}

function keep(seen: PropertyStats, value: KnownValue): void {
  if (seen.values === undefined) return;
  if (!isChoice(value) || seen.values.add(value).size > MAX_VALUES) seen.values = undefined;
}

/** Whether a value is one to choose: nobody knows a long text by heart, and half a surrogate pair has no literal. */
function isChoice(value: KnownValue): boolean {
  return typeof value !== 'string' || (value.length <= MAX_VALUE_LENGTH && isWellFormed(value));
}

function inOrder(left: KnownValue, right: KnownValue): number {
  const types = TYPE_NAMES.indexOf(getTypeName(left)) - TYPE_NAMES.indexOf(getTypeName(right));
  return types || (left < right ? -1 : 1);
}
