import { isKeyOf } from './objects.ts';
import { truncate } from './strings.ts';
import { suggest } from './suggest.ts';

/**
 * Checks an argument of a caller without types.
 *
 * @param name How messages call the argument: `source`, or a part of one, such as `options.use`.
 * @throws {TypeError} that says what was expected and what came instead.
 */
export type Guard = (value: unknown, name: string) => void;

/** The longest string that messages quote whole, in characters. */
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

/** Guards with a condition. */
export function guardIf(holds: (value: unknown) => boolean, expected: string): Guard {
  return (value, name) => {
    if (!holds(value)) refuse(name, expected, value);
  };
}

export const assertString = guardIf((value) => typeof value === 'string', 'a string');
export const assertNumber = guardIf((value) => typeof value === 'number', 'a number');
export const assertBoolean = guardIf((value) => typeof value === 'boolean', 'a boolean');
export const assertFunction = guardIf((value) => typeof value === 'function', 'a function');

/**
 * Checks an iterable that is no string.
 *
 * @throws {TypeError} for anything else.
 */
export function assertIterable(value: unknown, name: string): void {
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  if (!isIterable) refuse(name, 'an array or another iterable', value);
}

/** Guards one of a few strings. */
export function oneOf(words: readonly string[]): Guard {
  const expected = `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`;
  return guardIf((value) => typeof value === 'string' && words.includes(value), expected);
}

/** Guards what may be left out. */
export function optional(guard: Guard): Guard {
  return (value, name) => {
    if (value !== undefined) guard(value, name);
  };
}

/** Guards an array whose elements are guarded one by one where they are used. */
export const assertArray = guardIf((value) => Array.isArray(value), 'an array');

/** Guards an array. */
export function arrayOf(guard: Guard): Guard {
  return (value, name) => {
    assertArray(value, name);
    for (const [index, item] of (value as readonly unknown[]).entries()) guard(item, `${name}[${index}]`);
  };
}

/** Guards an object with a value of one kind under each name. */
export function recordOf(guard: Guard): Guard {
  return (value, name) => {
    assertObject(value, name);
    for (const [key, item] of Object.entries(value)) guard(item, `${name}[${JSON.stringify(key)}]`);
  };
}

/** Checks the parts of an object, which may have others. */
export function assertParts(
  value: unknown,
  name: string,
  guards: Readonly<Record<string, Guard>>,
  expected = 'an object',
): void {
  assertObject(value, name, expected);
  for (const [key, guard] of Object.entries(guards)) guard(value[key], `${name}.${key}`);
}

/** Checks the parts of an object that has no others, so that a misspelt name is never passed over. */
export function assertFields(
  value: unknown,
  name: string,
  guards: Readonly<Record<string, Guard>>,
  expected = 'an object',
): void {
  assertObject(value, name, expected);
  for (const key of Object.keys(value)) {
    if (!isKeyOf(key, guards)) throw new TypeError(unknownField(key, name, Object.keys(guards)));
  }
  assertParts(value, name, guards, expected);
}

function unknownField(key: string, name: string, known: readonly string[]): string {
  const near = suggest(key, known);
  const names = known.map((one) => `\`${one}\``).join(', ');
  const help = near === undefined ? `it takes ${names}` : `did you mean \`${near}\`?`;
  return `\`${name}\` has an unknown field ${JSON.stringify(truncate(key, MAX_QUOTED))}: ${help}`;
}

/** Checks an object that is neither an array nor null. */
export function assertObject(
  value: unknown,
  name: string,
  expected = 'an object',
): asserts value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(name, expected, value);
}
