import { getOwnValue, isJsonObject, type JsonObject } from '../base/json.ts';
import type { Properties } from '../lang/value.ts';

/** Objects below this depth stay closed, so that no record can exhaust the stack or grow names without end. */
const MAX_DEPTH = 32;

/** Matches how exports name the type of a value, in `{"int_value": "3"}` or `{"stringValue": "a"}`. */
const TYPED_VALUE = /^(?:(string|bool)|int|float|double)_?value$/i;

/** Matches numbers as text. */
const NUMBER = /^-?\d{1,15}(?:\.\d+)?$/;

/**
 * Replaces nested objects by properties with dotted names: `{a: {b: 1}}` becomes `{"a.b": 1}`. A property that the record
 * itself calls `a.b` wins over a nested one.
 *
 * A list of keys and values such as `[{"key": "b", "value": 1}]`, or of names and values, becomes a
 * property for each key, `{"a.b": 1}`, with a list of the values of a key that comes several times. Any other list of
 * objects becomes a list of the values of each name, `{"a.b": [1, 2]}`.
 */
export function flatten(properties: Properties): Properties {
  const found = new Map<string, unknown>();
  let isNested = false;
  const add = (object: Properties, prefix: string, depth: number) => {
    for (const [name, value] of Object.entries(object)) {
      const opened = depth > 0 ? (openList(value) ?? value) : value;
      if (depth > 0 && isJsonObject(opened)) {
        isNested = true;
        add(opened, `${prefix}${name}.`, depth - 1);
      } else if (prefix === '' || !found.has(prefix + name)) found.set(prefix + name, opened);
    }
  };
  add(properties, '', MAX_DEPTH);
  return isNested ? Object.fromEntries(found) : properties;
}

/** Returns the object that a list of objects stands for; undefined for other lists and values. */
function openList(list: unknown): JsonObject | undefined {
  if (!Array.isArray(list) || list.length === 0 || !list.every(isJsonObject)) return undefined;
  const pairs = list.map(readPair);
  if (!pairs.every((pair) => pair !== undefined)) return Object.fromEntries(collect(list.flatMap(Object.entries)));
  const values = [...collect(pairs)].map(([name, found]) => [name, found.length === 1 ? found[0] : found]);
  return Object.fromEntries(values);
}

/** Reads a key and its value, as in `{"key": "b", "value": 1}`; undefined for other objects. */
export function readPair(item: JsonObject): [name: string, value: unknown] | undefined {
  if (Object.keys(item).length !== 2 || !Object.hasOwn(item, 'value')) return undefined;
  const key = getOwnValue(item, 'key') ?? getOwnValue(item, 'name');
  return typeof key === 'string' ? [key, readTypedValue(getOwnValue(item, 'value'))] : undefined;
}

/** Collects the values of each name. */
function collect(entries: readonly (readonly [name: string, value: unknown])[]): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of entries) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

/** Reads a value that says its type. Exports write large whole numbers as text. */
function readTypedValue(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const typed = Object.entries(value).filter(([, member]) => member !== null);
  const [[name, member] = ['', undefined], ...others] = typed;
  const type = TYPED_VALUE.exec(name);
  if (type === null || others.length > 0) return value;
  return type[1] === undefined && typeof member === 'string' && NUMBER.test(member) ? Number(member) : member;
}
