import { BOOLEAN, LIST, NULL, NUMBER, STRING, type TypeSet, UNDEFINED } from '../types.ts';
import type { Scalar, Value } from '../value.ts';

/** In the types of a set: evaluating it can raise a type error. */
export const FAILS = 64;

export const HAS_TRUE = 1;
export const HAS_FALSE = 2;

/** Returns `to` if a set has some of the bits `from`, else 0. */
export function mapBits(set: number, from: number, to: number): number {
  return (set & from) === 0 ? 0 : to;
}

/** The strings of a class: those that no fact here excludes. */
export interface TextClass {
  readonly kind: 'class';
  /** Strings that are not in the class. */
  readonly excluded: ReadonlySet<string>;
  /** All strings come after this one. */
  readonly low: string | undefined;
  /** All strings come before this one. */
  readonly high: string | undefined;
  /** Whether all strings contain a string, or none does. */
  readonly parts: ReadonlyMap<string, boolean>;
  /** `decimal` if `number` reads all strings, `date` if `datetime` does, `plain` if neither reads one. */
  readonly form: 'plain' | 'decimal' | 'date' | 'any';
  /** The least result of `number` or `datetime`. */
  readonly from: number;
  /** The greatest result of `number` or `datetime`. */
  readonly to: number;
}

/** The strings of a set: one string, the decimal texts of the numbers in a range, or a class of strings. */
export type TextFacts =
  | { readonly kind: 'one'; readonly value: string }
  | { readonly kind: 'digits'; readonly low: number; readonly high: number }
  | TextClass;

/** The lists of a set: one list, or those with some elements and without others. */
type ListFacts =
  | { readonly kind: 'one'; readonly value: readonly Scalar[] }
  | { readonly kind: 'elements'; readonly elements: ReadonlyMap<Scalar, boolean> };

/** A set of values: at least those that an expression has on the records of a class. */
export interface ValueSet {
  /** The types of the values, and {@link FAILS}. */
  readonly types: TypeSet;
  /** The range of its numbers. */
  readonly low: number;
  readonly high: number;
  /** Its booleans: {@link HAS_FALSE}, {@link HAS_TRUE} or both. */
  readonly truths: number;
  /** Undefined if its strings can be any. */
  readonly text: TextFacts | undefined;
  /** Undefined if its lists can be any. */
  readonly list: ListFacts | undefined;
}

/** Creates a set without numbers. All sets have the same fields in the same order, which makes reading them faster. */
function createSet(types: TypeSet, truths = 0, text?: TextFacts, list?: ListFacts): ValueSet {
  return { types, low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY, truths, text, list };
}

function createRange(types: TypeSet, low: number, high: number, truths = 0): ValueSet {
  return { types, low, high, truths, text: undefined, list: undefined };
}

export const EMPTY_SET = createSet(0);
export const UNDEFINED_SET = createSet(UNDEFINED);
const NULL_SET = createSet(NULL);
export const FAILURE = createSet(FAILS);
export const ANY_STRING = createSet(STRING);

const BOOLEANS: readonly ValueSet[] = [0, HAS_TRUE, HAS_FALSE, HAS_FALSE | HAS_TRUE].map((truths) =>
  createSet(truths === 0 ? 0 : BOOLEAN, truths),
);

/** Returns the set of some booleans. */
export function toBooleans(truths: number): ValueSet {
  return BOOLEANS[truths] as ValueSet;
}

/** Returns the set of `true` or `false`, or of both if undefined. */
export function toTruth(known: boolean | undefined): ValueSet {
  return toBooleans(known === undefined ? HAS_FALSE | HAS_TRUE : known ? HAS_TRUE : HAS_FALSE);
}

/** Returns the set of the numbers in a range. What lies beyond the largest double is undefined. */
export function toNumbers(low: number, high: number): ValueSet {
  const { MAX_VALUE } = Number;
  if (low > MAX_VALUE || high < -MAX_VALUE) return UNDEFINED_SET;
  const types = low < -MAX_VALUE || high > MAX_VALUE ? NUMBER | UNDEFINED : NUMBER;
  return createRange(types, Math.max(low, -MAX_VALUE) + 0, Math.min(high, MAX_VALUE) + 0);
}

/** Returns a set of strings. */
export function toText(text: TextFacts): ValueSet {
  return createSet(STRING, 0, text);
}

/** Returns a set of lists. */
export function toLists(list: ListFacts): ValueSet {
  return createSet(LIST, 0, undefined, list);
}

/** Returns the set of one value. */
export function toValueSet(value: Value): ValueSet {
  if (typeof value === 'number') return toNumbers(value, value);
  if (typeof value === 'string') return toText({ kind: 'one', value });
  if (typeof value === 'boolean') return toTruth(value);
  if (value === undefined) return UNDEFINED_SET;
  return value === null ? NULL_SET : toLists({ kind: 'one', value });
}

/** Returns the set of all values of some types. */
export function toTypes(types: TypeSet): ValueSet {
  // Without numbers, the range is empty.
  const high = (types & NUMBER) === 0 ? Number.NEGATIVE_INFINITY : Number.MAX_VALUE;
  return createRange(types, -high, high, mapBits(types, BOOLEAN, HAS_FALSE | HAS_TRUE));
}

/** Returns the value of a set that has only one. */
export function getSingle({ types, low, high, truths, text, list }: ValueSet): { readonly value: Value } | undefined {
  switch (types) {
    case NUMBER:
      return low === high ? { value: low } : undefined;
    case STRING:
      return text?.kind === 'one' ? text : undefined;
    case BOOLEAN:
      return truths === (HAS_FALSE | HAS_TRUE) ? undefined : { value: truths === HAS_TRUE };
    case LIST:
      return list?.kind === 'one' ? list : undefined;
    case NULL:
      return { value: null };
    case UNDEFINED:
      return { value: undefined };
    default:
      return undefined;
  }
}

/** Returns the part of a set that has one type. */
export function restrictSet(set: ValueSet, type: TypeSet): ValueSet {
  switch (type) {
    case NUMBER:
      return createRange(type, set.low, set.high);
    case BOOLEAN:
      return toBooleans(set.truths);
    default:
      return createSet(type, 0, set.text, set.list);
  }
}

/** Returns a set with the values of two. */
export function joinSets(left: ValueSet, right: ValueSet): ValueSet {
  if (left.types === 0) return right;
  const join = <Facts>(type: TypeSet, ofLeft: Facts, ofRight: Facts): Facts | undefined => {
    if ((left.types & type) === 0) return ofRight;
    return (right.types & type) === 0 || ofLeft === ofRight ? ofLeft : undefined;
  };
  return {
    types: left.types | right.types,
    low: Math.min(left.low, right.low),
    high: Math.max(left.high, right.high),
    truths: left.truths | right.truths,
    text: join(STRING, left.text, right.text),
    list: join(LIST, left.list, right.list),
  };
}
