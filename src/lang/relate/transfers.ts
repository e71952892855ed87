import { roundUpToNext } from '../adjacent-doubles.ts';
import { parseBoolean, roundHalfAway } from '../operators/functions.ts';
import type { OverloadId } from '../operators/table.ts';
import { MAX_SECONDS } from '../operators/time.ts';
import { BOOLEAN, LIST, NULL, NUMBER, STRING, UNDEFINED } from '../types.ts';
import { compareStrings, formatDecimal, isEqual, parseDecimal, type Scalar } from '../value.ts';
import {
  ANY_STRING,
  getSingle,
  HAS_FALSE,
  HAS_TRUE,
  joinSets,
  type TextClass,
  type TextFacts,
  toNumbers,
  toText,
  toTruth,
  toTypes,
  UNDEFINED_SET,
  type ValueSet,
} from './value-set.ts';

/**
 * Returns a set with every result of an overload for operands from these sets, each of one type that the overload
 * takes. It can have more values: then less is known, but nothing wrong.
 */
type Transfer = (left: ValueSet, right: ValueSet) => ValueSet;

/** The words that `boolean` reads. */
export const BOOLEAN_WORDS = ['true', 'false', '1', '0', 'yes', 'no'] as const;

/** The parts of longer strings are not listed. */
export const MAX_WITHIN = 40;

/** Lists the parts of a string, from the empty one to itself. */
export function listParts(string: string): string[] {
  const parts = new Set(['']);
  for (let start = 0; start < string.length; start++) {
    for (let end = start + 1; end <= string.length; end++) parts.add(string.slice(start, end));
  }
  return [...parts];
}

/** No date is earlier or later, in Unix seconds. */
export const FIRST_SECOND = -62_167_305_540;
export const LAST_SECOND = 253_402_387_139;

/** A function that never decreases: doubles are rounded in order, so its values at the ends bound the others. */
const increasing =
  (evaluate: (operand: number) => number): Transfer =>
  ({ low, high }) =>
    toNumbers(evaluate(low), evaluate(high));

const flip = (set: ValueSet): ValueSet => toTruths(set.truths, HAS_FALSE, HAS_TRUE);

function toTruths(truths: number, ifTrue: number, ifFalse: number): ValueSet {
  const swapped = ((truths & HAS_TRUE) !== 0 ? ifTrue : 0) | ((truths & HAS_FALSE) !== 0 ? ifFalse : 0);
  return toTruth(swapped === (HAS_FALSE | HAS_TRUE) ? undefined : swapped === HAS_TRUE);
}

const equal: Transfer = (left, right) => {
  if (left.types !== right.types) return toTruth(false);
  const [one, other] = [getSingle(left), getSingle(right)];
  if (one !== undefined && other !== undefined) return toTruth(isEqual(one.value, other.value));
  if (left.types === NUMBER) return toTruth(left.high < right.low || left.low > right.high ? false : undefined);
  const strings = left.text !== undefined && right.text !== undefined;
  return toTruth(strings && areUnequal(left.text, right.text) ? false : undefined);
};

function areUnequal(left: TextFacts, right: TextFacts): boolean {
  if (left.kind === 'one') return !canBe(right, left.value);
  return right.kind === 'one' && !canBe(left, right.value);
}

/** Returns whether a string can be among those of a text. */
function canBe(text: TextFacts, string: string): boolean {
  if (text.kind === 'one') return text.value === string;
  if (text.kind === 'digits') {
    const number = parseDecimal(string);
    return number !== undefined && number >= text.low && number <= text.high && formatDecimal(number) === string;
  }
  return !text.excluded.has(string);
}

/** Compares two strings: -1, 0 or 1, or undefined if that differs within the sets, or is not known. */
function orderOf(left: TextFacts | undefined, right: TextFacts | undefined): number | undefined {
  const [before, after] = [getEnds(left), getEnds(right)];
  if (before === undefined || after === undefined) return undefined;
  const strict = left?.kind === 'class' || right?.kind === 'class';
  if (isBefore(before.high, after.low, strict)) return -1;
  if (isBefore(after.high, before.low, strict)) return 1;
  return left?.kind === 'one' && right?.kind === 'one' ? 0 : undefined;
}

function isBefore(left: string | undefined, right: string | undefined, strict: boolean): boolean {
  if (left === undefined || right === undefined) return false;
  const order = compareStrings(left, right);
  return order < 0 || (strict && order === 0);
}

function getEnds(text: TextFacts | undefined): Pick<TextClass, 'low' | 'high'> | undefined {
  if (text?.kind === 'one') return { low: text.value, high: text.value };
  return text?.kind === 'class' ? text : undefined;
}

const orderStrings =
  (compare: (order: number) => boolean): Transfer =>
  (left, right) => {
    const order = orderOf(left.text, right.text);
    return toTruth(order === undefined ? undefined : compare(order));
  };

/** Returns whether the string on the left is in that on the right. */
const part: Transfer = ({ text: inner }, { text: outer }) => {
  if (inner?.kind === 'one') {
    if (inner.value === '') return toTruth(true);
    if (outer?.kind === 'one') return toTruth(outer.value.includes(inner.value));
    if (outer?.kind === 'digits') return toTruth(/[^-.0-9]/.test(inner.value) ? false : undefined);
    return toTruth(outer?.kind === 'class' ? outer.parts.get(inner.value) : undefined);
  }
  const none = inner?.kind === 'class' && outer?.kind === 'one' && areExcluded(outer.value, inner.excluded);
  return toTruth(none ? false : undefined);
};

/** Returns whether a class has no part of a string. */
function areExcluded(string: string, excluded: ReadonlySet<string>): boolean {
  return string.length <= MAX_WITHIN && listParts(string).every((inner) => excluded.has(inner));
}

const element: Transfer = (left, { list }) => {
  if (left.types === LIST) return toTruth(false);
  if (list?.kind === 'one') return isAmong(left, list.value);
  return toTruth(list?.elements.get(getSingle(left)?.value as Scalar));
};

/** Returns whether a set of one type equals one of some scalars. */
export function isAmong(set: ValueSet, values: readonly (Scalar | undefined)[]): ValueSet {
  const single = getSingle(set);
  if (single !== undefined) return toTruth(values.includes(single.value as Scalar | undefined));
  return toTruth(values.some((value) => mayEqual(set, value)) ? undefined : false);
}

function mayEqual({ types, low, high, text }: ValueSet, value: Scalar | undefined): boolean {
  switch (typeof value) {
    case 'number':
      return types === NUMBER && value >= low && value <= high;
    case 'string':
      return types === STRING && (text === undefined || canBe(text, value));
    case 'boolean':
      return types === BOOLEAN;
    default:
      return false;
  }
}

const multiply = (left: ValueSet, right: ValueSet): ValueSet => {
  const ends = [left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high];
  return toNumbers(Math.min(...ends), Math.max(...ends));
};

/** Divides by a range without 0. */
const divideBy = (left: ValueSet, low: number, high: number): ValueSet => {
  const ends = [left.low / low, left.low / high, left.high / low, left.high / high];
  return toNumbers(Math.min(...ends), Math.max(...ends));
};

const divide: Transfer = (left, { low, high }) => {
  const { MIN_VALUE } = Number;
  if (low > 0 || high < 0) return divideBy(left, low, high);
  let set = UNDEFINED_SET;
  if (low < 0) set = joinSets(set, divideBy(left, low, -MIN_VALUE));
  return high > 0 ? joinSets(set, divideBy(left, MIN_VALUE, high)) : set;
};

const remainder: Transfer = ({ low, high }, divisor) => {
  const size = Math.max(Math.abs(divisor.low), Math.abs(divisor.high));
  if (size === 0) return UNDEFINED_SET;
  const withZero = divisor.low <= 0 && divisor.high >= 0;
  const [first, last] = [low % size, high % size];
  // Within one period, the remainder increases with the dividend.
  const inPeriod = divisor.low === divisor.high && (low >= 0 || high <= 0) && high - low < size && first <= last;
  const set = inPeriod
    ? toNumbers(first, last)
    : toNumbers(low < 0 ? Math.max(low, -size) : 0, high > 0 ? Math.min(high, size) : 0);
  return withZero ? joinSets(set, UNDEFINED_SET) : set;
};

const toSecondsOf: Transfer = ({ low, high }) => {
  let set: ValueSet | undefined;
  const add = (part: ValueSet) => {
    set = set === undefined ? part : joinSets(set, part);
  };
  if (low < 1) add(UNDEFINED_SET);
  if (low <= MAX_SECONDS && high >= 1)
    add(toNumbers(Math.floor(Math.max(low, 1)), Math.floor(Math.min(high, MAX_SECONDS))));
  if (high > MAX_SECONDS) {
    const from = Math.max(low, roundUpToNext(MAX_SECONDS));
    add(toNumbers(Math.floor(from / 1000), Math.floor(high / 1000)));
  }
  return set ?? UNDEFINED_SET;
};

const numberOfString: Transfer = ({ text }) => {
  if (text?.kind === 'digits') return toNumbers(text.low, text.high);
  if (text?.kind !== 'class' || text.form === 'any') return toTypes(NUMBER | UNDEFINED);
  return text.form === 'decimal' ? toNumbers(text.from, text.to) : UNDEFINED_SET;
};

const booleanOfString: Transfer = ({ text }) => {
  if (text === undefined) return toTypes(BOOLEAN | UNDEFINED);
  const words = BOOLEAN_WORDS.filter((word) => canBe(text, word)).map((word) => toTruth(parseBoolean(word)));
  return words.reduce(joinSets, UNDEFINED_SET);
};

const dateOfString: Transfer = ({ text }) => {
  if (text?.kind === 'digits') return UNDEFINED_SET;
  if (text?.kind === 'class' && text.form !== 'any')
    return text.form === 'date' ? toNumbers(text.from, text.to) : UNDEFINED_SET;
  return joinSets(toNumbers(FIRST_SECOND, LAST_SECOND), UNDEFINED_SET);
};

const identity: Transfer = (operand) => operand;

/**
 * The answers of each overload for sets of operands. `docs/guide/relations.md` proves each line. An overload without a line
 * does not compile.
 */
// biome-ignore format: a table, to be read by its rows
export const TRANSFERS: Readonly<Record<OverloadId, Transfer>> = {
  'not.boolean': flip,
  'not.undefined': () => toTruth(true),
  negate: ({ low, high }) => toNumbers(-high, -low),
  equal,
  unequal: (left, right) => flip(equal(left, right)),
  'less.number': (left, right) => toTruth(left.high < right.low ? true : left.low >= right.high ? false : undefined),
  'less.string': orderStrings((order) => order < 0),
  'atMost.number': (left, right) => toTruth(left.high <= right.low ? true : left.low > right.high ? false : undefined),
  'atMost.string': orderStrings((order) => order <= 0),
  'greater.number': (left, right) => toTruth(left.low > right.high ? true : left.high <= right.low ? false : undefined),
  'greater.string': orderStrings((order) => order > 0),
  'atLeast.number': (left, right) => toTruth(left.low >= right.high ? true : left.high < right.low ? false : undefined),
  'atLeast.string': orderStrings((order) => order >= 0),
  part,
  element,
  add: (left, right) => toNumbers(left.low + right.low, left.high + right.high),
  join: () => ANY_STRING,
  subtract: (left, right) => toNumbers(left.low - right.high, left.high - right.low),
  multiply,
  divide,
  remainder,
  floor: increasing(Math.floor),
  round: increasing((operand) => roundHalfAway(operand) ?? operand),
  ceil: increasing(Math.ceil),
  'string.string': identity,
  'string.number': ({ low, high }) => toText({ kind: 'digits', low, high }),
  'string.boolean': () => ANY_STRING,
  'string.null': () => toTypes(NULL),
  'number.string': numberOfString,
  'number.number': identity,
  'number.boolean': () => toNumbers(0, 1),
  'boolean.string': booleanOfString,
  'boolean.number': ({ low, high }) => toTruth(low > 0 || high < 0 ? true : undefined),
  'boolean.boolean': identity,
  'boolean.nothing': () => toTruth(false),
  defined: ({ types }) => toTruth((types & (NULL | UNDEFINED)) === 0),
  'datetime.string': dateOfString,
  'datetime.number': toSecondsOf,
};
