import type { Properties } from '../../language/value.ts';

const PLAIN = Object.prototype;

/** The last plain record: it is asked for as often as a filter reads a property of it. */
let last: Properties | undefined;

/**
 * Whether all that the record answers is its own or that of `Object.prototype`. Reading `__proto__` is a property access, which
 * V8 makes as cheap as any other, where `Object.getPrototypeOf` is a call.
 */
export function isPlain(record: Properties): boolean {
  if (record === last) return true;
  // biome-ignore lint/suspicious/noProto: where it is a property of the record's own, the record is not plain.
  if (record.__proto__ !== PLAIN) return false;
  last = record;
  return true;
}

/** What `Object.prototype` has of a name, from the beginning or since somebody put it there, shows here. */
export const BARE: Properties = {};
