import type { Properties } from '../../value.ts';

const PLAIN = Object.prototype;

/**
 * Whether the record's prototype is `Object.prototype`. Reading `__proto__` is a property access, which V8 makes as
 * cheap as any other, where `Object.getPrototypeOf` is a call. The result is never kept: a record's prototype can
 * change between two calls.
 */
export function isPlain(record: Properties): boolean {
  // biome-ignore lint/suspicious/noProto: where it is a property of the record's own, the record is not plain.
  return record.__proto__ === PLAIN;
}

/** What `Object.prototype` has of a name, from the beginning or since somebody put it there, shows here. */
export const BARE: Properties = {};
