import { contains } from '../../operators/functions.ts';
import type { Closure } from '../../plan/engine.ts';
import { readProperty, type Value } from '../../value.ts';
import { BARE, isPlain } from './plain.ts';

/** Creates the closures that read one property. */
export interface PropertyReaders {
  readValue(name: string): Closure;
  /** NaN if the property is not a number. */
  readNumber(name: string): Closure<number>;
  /** The constant is neither undefined nor a list. */
  equals(name: string, constant: unknown): Closure<boolean>;
  isOneOf(name: string, constants: ReadonlySet<unknown>): Closure<boolean>;
  /** Whether the property is a string that contains the part, or a list with the part as an element. */
  contains(name: string, part: string): Closure<boolean>;
  isBetween(name: string, low: number, high: number): Closure<boolean>;
}

/**
 * Each closure reads the property like any JavaScript code. If the result depends on an own property, the record must
 * be plain. Other records, and those that throw, take the slow path through {@link readProperty}.
 */
export const PROPERTY_READERS: PropertyReaders = {
  readValue: (name) => (record) => {
    try {
      const value = record[name];
      if (value === undefined) return undefined;
      if (isPlain(record) && BARE[name] === undefined) {
        if (typeof value === 'string' || typeof value === 'boolean') return value;
        if (typeof value === 'number' && value - value === 0) return value + 0;
      }
    } catch {}
    return readProperty(record, name);
  },

  readNumber: (name) => (record) => {
    try {
      const value = record[name];
      if (typeof value !== 'number' || value - value !== 0) return Number.NaN;
      if (isPlain(record) && BARE[name] === undefined) return value;
    } catch {}
    const value = readProperty(record, name);
    return typeof value === 'number' ? value : Number.NaN;
  },

  equals: (name, constant) => (record) => {
    try {
      if (record[name] !== constant) return false;
      if (isPlain(record) && BARE[name] === undefined) return true;
    } catch {}
    return readProperty(record, name) === constant;
  },

  isOneOf: (name, constants) => (record) => {
    try {
      if (!constants.has(record[name])) return false;
      if (isPlain(record) && BARE[name] === undefined) return true;
    } catch {}
    return constants.has(readProperty(record, name));
  },

  contains: (name, part) => (record) => {
    try {
      const value = record[name];
      if (typeof value !== 'object' && !contains(value as Value, part)) return false;
      if (typeof value === 'string' && isPlain(record) && BARE[name] === undefined) return true;
    } catch {}
    return contains(readProperty(record, name), part);
  },

  isBetween: (name, low, high) => (record) => {
    try {
      const value = record[name];
      if (typeof value !== 'number' || !(value >= low && value <= high)) return false;
      if (isPlain(record) && BARE[name] === undefined) return true;
    } catch {}
    const value = readProperty(record, name);
    return typeof value === 'number' && value >= low && value <= high;
  },
};
