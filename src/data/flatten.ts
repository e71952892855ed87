import { isJsonObject } from '../base/json.ts';
import type { Properties } from '../lang/value.ts';

/** Objects below this depth stay closed, so that no record can exhaust the stack or grow names without end. */
const MAX_DEPTH = 32;

/**
 * Replaces nested objects by properties with dotted names: `{a: {b: 1}}` becomes `{"a.b": 1}`. Arrays stay unchanged. A
 * property that the record itself calls `a.b` wins over a nested one.
 */
export function flatten(properties: Properties): Properties {
  if (!Object.values(properties).some(isJsonObject)) return properties;
  const found = new Map<string, unknown>();
  addProperties(found, properties, '', MAX_DEPTH);
  return Object.fromEntries(found);
}

function addProperties(found: Map<string, unknown>, object: Properties, prefix: string, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    if (depth > 0 && isJsonObject(value)) addProperties(found, value, `${prefix}${name}.`, depth - 1);
    else if (prefix === '' || !found.has(prefix + name)) found.set(prefix + name, value);
  }
}
