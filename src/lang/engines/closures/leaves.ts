import { contains } from '../../operators/functions.ts';
import type { Closure } from '../../plan/engine.ts';
import { readProperty } from '../../value.ts';
import { BARE, isPlain } from './plain.ts';

/** What can be asked of a property: closures that read it themselves. */
export interface PropertyReaders {
  value(name: string): Closure;
  /** NaN for what is no number. */
  number(name: string): Closure<number>;
  /** The constant is neither undefined nor a list. */
  equals(name: string, constant: unknown): Closure<boolean>;
  isOneOf(name: string, constants: ReadonlySet<unknown>): Closure<boolean>;
  /** Whether a text has the text in it, or a list as an element. */
  holds(name: string, text: string): Closure<boolean>;
  isBetween(name: string, low: number, high: number): Closure<boolean>;
}

/**
 * Each reads the property as JavaScript does; where the answer depends on it, the record must be plain, so that it is its own.
 * All other records, and those that throw, go the slow way through {@link readProperty}.
 */
export const PROPERTY_READERS: PropertyReaders = {
  // The copies in leaf-copies.ts begin here.
  value: (name) => (record) => {
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

  number: (name) => (record) => {
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

  holds: (name, text) => (record) => {
    try {
      const value = record[name];
      if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(text))) return false;
      if (typeof value === 'string' && isPlain(record) && BARE[name] === undefined) return true;
    } catch {}
    return contains(readProperty(record, name), text);
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
  // And end here.
};
