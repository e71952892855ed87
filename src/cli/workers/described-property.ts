import type { Value } from '../../lang/value.ts';
import { MAX_VALUE_LENGTH } from './census-limits.ts';
import { addSeenValue, createSeenProperty, type SeenProperty } from './seen-property.ts';

/** The values of a property. */
export interface CountedValues {
  /** The number of records by the JSON of the value. Undefined once there are too many different ones, or if not counted. */
  counts: Map<string, number> | undefined;
  /** The length of the longest JSON that is or was counted. */
  longest: number;
  /** Whether some values are too long to be counted. */
  hasLong: boolean;
}

/** The statistics of a property in some records, as plain data for another thread. */
export interface DescribedProperty extends SeenProperty, CountedValues {}

/** Creates a property without values, whose values are counted or not. */
export function createDescribedProperty(countsValues: boolean): DescribedProperty {
  return { ...createSeenProperty(), counts: countsValues ? new Map() : undefined, longest: 0, hasLong: false };
}

/**
 * Adds the value of a record.
 *
 * @param inner the names of what is in an object or a list of objects, so that the list is not shown as an empty one;
 *   undefined for other values
 */
export function addDescribedValue(
  property: DescribedProperty,
  value: Value,
  inner: readonly string[] | undefined,
): void {
  addSeenValue(property, value, inner);
  if (value === undefined || inner !== undefined || property.counts === undefined) return;
  const json = stringifyShort(value);
  if (json === undefined) {
    property.hasLong = true;
  } else {
    property.longest = Math.max(property.longest, json.length);
    property.counts.set(json, (property.counts.get(json) ?? 0) + 1);
  }
}

/** Returns the JSON of a value; undefined if it is too long. */
function stringifyShort(value: Value): string | undefined {
  // Spares the JSON of values of many megabytes.
  if ((typeof value === 'string' || Array.isArray(value)) && value.length > MAX_VALUE_LENGTH) return undefined;
  const json = JSON.stringify(value);
  return json.length > MAX_VALUE_LENGTH ? undefined : json;
}
