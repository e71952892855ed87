import type { Properties } from '../../value.ts';

const PLAIN = Object.prototype;

/**
 * Returns whether the record's prototype is `Object.prototype`. V8 makes `__proto__` as cheap as any other property,
 * while `Object.getPrototypeOf` is a call. The result is never cached: a prototype can change between two calls.
 */
export function isPlain(record: Properties): boolean {
  // biome-ignore lint/suspicious/noProto: a record with its own `__proto__` property is not plain.
  return record.__proto__ === PLAIN;
}

/** An empty object. It has a property only if `Object.prototype` has it, built in or added by a program. */
export const BARE: Properties = {};
