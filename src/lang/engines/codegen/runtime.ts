import { contains } from '../../operators/functions.ts';
import { castToNumber, castToTruth } from '../../plan/casts.ts';
import { computeRemainder, nanIfNotFinite, toNumberOrNaN } from '../../plan/numbers.ts';
import { readValue } from '../../value.ts';

/** The names that every generated function can use. */
export const RUNTIME = {
  /** Marks a property that has not been read yet. */
  UNREAD: Symbol('unread'),
  /** The properties of a missing user. */
  NO_USER: Object.freeze({}),
  /** Thrown if a record may have inherited properties. */
  UNSURE: Symbol('unsure'),
  PLAIN: Object.prototype,
  /** An empty object. A property that it has was added to `Object.prototype`. */
  BARE: {},
  computeRemainder,
  nanIfNotFinite,
  toNumberOrNaN,
  readValue,
  castToNumber,
  castToTruth,
  contains,
} as const;
