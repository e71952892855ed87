// Written by `npm run generate` from leaves.ts.
import { contains } from '../../operators/functions.ts';
import { readProperty } from '../../value.ts';
import type { PropertyReaders } from './leaves.ts';
import { BARE, isPlain } from './plain.ts';

/** Copies of the same code, so that V8 optimizes each for other properties: see leaves-for.ts. */
export const COPIES: readonly PropertyReaders[] = [
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
  {
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
        if (typeof value !== 'object' && (typeof value !== 'string' || !value.includes(part))) return false;
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
  },
];
