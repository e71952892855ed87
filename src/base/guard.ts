import { isKeyOf } from './objects.ts';
import { truncate } from './strings.ts';
import { suggest } from './suggest.ts';

/**
 * Checks an argument, for callers without TypeScript.
 *
 * @param name The name of the argument in messages, such as `source` or `options.use`.
 * @throws {TypeError} with the expected and the actual value.
 */
export type Guard = (value: unknown, name: string) => void;

/** The maximum columns of a string in a message. */
const MAX_QUOTED = 40;

/** @throws {TypeError} always: "`source` must be a string, not undefined". */
export function refuse(name: string, expected: string, value: unknown): never {
  throw new TypeError(`\`${name}\` must be ${expected}, not ${describe(value)}`);
}

function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(truncate(value, MAX_QUOTED));
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'an array' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** Creates a guard that accepts the values for which a predicate is true. */
export function guardIf(accepts: (value: unknown) => boolean, expected: string): Guard {
  return (value, name) => {
    if (!accepts(value)) refuse(name, expected, value);
  };
}

export const assertString = guardIf((value) => typeof value === 'string', 'a string');
export const assertNumber = guardIf((value) => typeof value === 'number', 'a number');
export const assertBoolean = guardIf((value) => typeof value === 'boolean', 'a boolean');
export const assertFunction = guardIf((value) => typeof value === 'function', 'a function');

/** @throws {TypeError} if the value is not an iterable, or is a string. */
export function assertIterable(value: unknown, name: string): void {
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  if (!isIterable) refuse(name, 'an array or another iterable', value);
}

/** Creates a guard that accepts some strings. */
export function oneOf(words: readonly string[]): Guard {
  const expected = `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`;
  return guardIf((value) => typeof value === 'string' && words.includes(value), expected);
}

/** Creates a guard that also accepts undefined. */
export function optional(guard: Guard): Guard {
  return (value, name) => {
    if (value !== undefined) guard(value, name);
  };
}

/** @throws {TypeError} if the value is not an array. Does not check its elements. */
export const assertArray = guardIf((value) => Array.isArray(value), 'an array');

/** Creates a guard that accepts arrays of elements that another guard accepts. */
export function arrayOf(guard: Guard): Guard {
  return (value, name) => {
    assertArray(value, name);
    for (const [index, item] of (value as readonly unknown[]).entries()) guard(item, `${name}[${index}]`);
  };
}

/** Creates a guard that accepts objects whose values another guard accepts. */
export function recordOf(guard: Guard): Guard {
  return (value, name) => {
    assertObject(value, name);
    for (const [key, item] of Object.entries(value)) guard(item, `${name}[${JSON.stringify(key)}]`);
  };
}

/** @throws {TypeError} if the value is not an object whose fields the guards accept. It can have other fields. */
export function assertParts(
  value: unknown,
  name: string,
  guards: Readonly<Record<string, Guard>>,
  expected = 'an object',
): void {
  assertObject(value, name, expected);
  for (const [key, guard] of Object.entries(guards)) guard(value[key], `${name}.${key}`);
}

/** @throws {TypeError} as {@link assertParts}, and if the object has other fields, so that misspelt names are found. */
export function assertFields(
  value: unknown,
  name: string,
  guards: Readonly<Record<string, Guard>>,
  expected = 'an object',
): void {
  assertObject(value, name, expected);
  for (const key of Object.keys(value)) {
    if (!isKeyOf(key, guards)) throw new TypeError(describeUnknownField(key, name, Object.keys(guards)));
  }
  assertParts(value, name, guards, expected);
}

function describeUnknownField(key: string, name: string, known: readonly string[]): string {
  const nearest = suggest(key, known);
  const names = known.map((field) => `\`${field}\``).join(', ');
  const help = nearest === undefined ? `it takes ${names}` : `did you mean \`${nearest}\`?`;
  return `\`${name}\` has an unknown field ${JSON.stringify(truncate(key, MAX_QUOTED))}: ${help}`;
}

/** @throws {TypeError} if the value is not an object, or is an array or null. */
export function assertObject(
  value: unknown,
  name: string,
  expected = 'an object',
): asserts value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(name, expected, value);
}
