import { contains } from '../../operators/functions.ts';
import { castToNumber, castToTruth } from '../../plan/casts.ts';
import * as numbers from '../../plan/numbers.ts';
import { readValue } from '../../value.ts';

/** What every generated function can use, by name. */
export const RUNTIME = {
  /** Marks a property that has not been read yet. */
  UNREAD: Symbol('unread'),
  /** The properties of a user where there is none. */
  NOBODY: Object.freeze({}),
  /** Thrown where a record may answer for another. */
  UNSURE: Symbol('unsure'),
  PLAIN: Object.prototype,
  /** Has what somebody added to `Object.prototype`. */
  BARE: {},
  ...numbers,
  readValue,
  castToNumber,
  castToTruth,
  holdsText: contains,
} as const;
