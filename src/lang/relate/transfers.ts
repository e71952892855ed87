import { roundUpToNext } from '../adjacent-doubles.ts';
import { parseBoolean, roundHalfAway } from '../operators/functions.ts';
import type { OverloadId } from '../operators/table.ts';
import { MAX_SECONDS } from '../operators/time.ts';
import { BOOLEAN, LIST, NULL, NUMBER, STRING, UNDEFINED } from '../types.ts';
import { compareStrings, formatDecimal, isEqual, parseDecimal, type Scalar } from '../value.ts';
import {
  ANY_STRING,
  EMPTY_SET,
  getSingle,
  HAS_FALSE,
  HAS_TRUE,
  joinSets,
  mapBits,
  type TextClass,
  type TextFacts,
  toBooleans,
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

/** Negates each boolean. */
const flip = ({ truths }: ValueSet): ValueSet =>
  toBooleans(mapBits(truths, HAS_TRUE, HAS_FALSE) | mapBits(truths, HAS_FALSE, HAS_TRUE));

const invert =
  (transfer: Transfer): Transfer =>
  (left, right) =>
    flip(transfer(left, right));

const swap =
  (transfer: Transfer): Transfer =>
  (left, right) =>
    transfer(right, left);

const equal: Transfer = (left, right) => {
  if (left.types !== right.types) return toTruth(false);
  const [one, other] = [getSingle(left), getSingle(right)];
  if (one !== undefined && other !== undefined) return toTruth(isEqual(one.value, other.value));
  if (left.types === NUMBER) return toTruth(areApart(left, right) ? false : undefined);
  const strings = left.text !== undefined && right.text !== undefined;
  return toTruth(strings && areUnequal(left.text, right.text) ? false : undefined);
};

type Range = Pick<ValueSet, 'low' | 'high'>;

function areApart(left: Range, right: Range): boolean {
  return left.high < right.low || left.low > right.high;
}

function areUnequal(left: TextFacts, right: TextFacts): boolean {
  // Different numbers have different texts.
  if (left.kind === 'digits' && right.kind === 'digits') return areApart(left, right);
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

/** Returns whether all strings up to an end come before those from another one: if `mayMeet`, the ends can be equal. */
function isBefore(end: string | undefined, start: string | undefined, mayMeet: boolean): boolean {
  return end !== undefined && start !== undefined && compareStrings(end, start) < (mayMeet ? 1 : 0);
}

/** Returns the first and the last string of a text, or for a class those just outside of it. */
function getEnds(text: TextFacts | undefined): Partial<Pick<TextClass, 'low' | 'high'>> {
  if (text?.kind === 'one') return { low: text.value, high: text.value };
  return text?.kind === 'class' ? text : {};
}

const lessNumber: Transfer = (left, right) =>
  toTruth(left.high < right.low ? true : left.low >= right.high ? false : undefined);

const lessString: Transfer = ({ text: left }, { text: right }) => {
  const [one, other] = [getEnds(left), getEnds(right)];
  if (isBefore(one.high, other.low, left?.kind === 'class' || right?.kind === 'class')) return toTruth(true);
  return toTruth(isBefore(other.high, one.low, true) ? false : undefined);
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

const toHull = (...numbers: readonly number[]): ValueSet => toNumbers(Math.min(...numbers), Math.max(...numbers));

const multiply: Transfer = (left, { low, high }) =>
  toHull(left.low * low, left.low * high, left.high * low, left.high * high);

/** Divides by a range without 0. */
const divideBy = (left: ValueSet, low: number, high: number): ValueSet =>
  toHull(left.low / low, left.low / high, left.high / low, left.high / high);

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
  let set = EMPTY_SET;
  const add = (part: ValueSet) => {
    set = joinSets(set, part);
  };
  if (low < 1) add(UNDEFINED_SET);
  if (low <= MAX_SECONDS && high >= 1)
    add(toNumbers(Math.floor(Math.max(low, 1)), Math.floor(Math.min(high, MAX_SECONDS))));
  if (high > MAX_SECONDS) {
    const from = Math.max(low, roundUpToNext(MAX_SECONDS));
    add(toNumbers(Math.floor(from / 1000), Math.floor(high / 1000)));
  }
  return set;
};

/** Reads a text as what the strings of a class are read as; others have a known result. */
function readText(text: TextFacts | undefined, form: TextClass['form'], others: ValueSet): ValueSet {
  if (text?.kind !== 'class' || text.form === 'any') return others;
  return text.form === form ? toNumbers(text.from, text.to) : UNDEFINED_SET;
}

const numberOfString: Transfer = ({ text }) =>
  readText(text, 'decimal', text?.kind === 'digits' ? toNumbers(text.low, text.high) : toTypes(NUMBER | UNDEFINED));

const booleanOfString: Transfer = ({ text }) => {
  if (text === undefined) return toTypes(BOOLEAN | UNDEFINED);
  const words = BOOLEAN_WORDS.filter((word) => canBe(text, word)).map((word) => toTruth(parseBoolean(word)));
  return words.reduce(joinSets, UNDEFINED_SET);
};

const ANY_DATE = joinSets(toNumbers(FIRST_SECOND, LAST_SECOND), UNDEFINED_SET);

const dateOfString: Transfer = ({ text }) => readText(text, 'date', text?.kind === 'digits' ? UNDEFINED_SET : ANY_DATE);

const identity: Transfer = (operand) => operand;

const toDigits: Transfer = ({ low, high }) => toText({ kind: 'digits', low, high });

/** Returns the texts of the segments of values. A list can have any. */
function toSegments(set: ValueSet): ValueSet {
  if (set.types === STRING) return set;
  if (set.types === NUMBER) return toDigits(set, set);
  const single = set.types === LIST ? undefined : getSingle(set);
  return single === undefined ? ANY_STRING : toText({ kind: 'one', value: String(single.value) });
}

const toNumberOrZero = (set: ValueSet): ValueSet => (set.types === NUMBER ? set : toNumbers(0, 0));

const compareAs =
  (read: (set: ValueSet) => ValueSet): Transfer =>
  (left, right) =>
    equal(read(left), read(right));

/**
 * The answers of each overload for sets of operands, and of the comparisons of values by a use. `docs/guide/relations.md` proves each line. An overload without a line
 * does not compile.
 */
// biome-ignore format: a table, to be read by its rows
export const TRANSFERS: Readonly<Record<OverloadId | 'on' | 'number', Transfer>> = {
  'not.boolean': flip,
  'not.undefined': () => toTruth(true),
  negate: ({ low, high }) => toNumbers(-high, -low),
  equal,
  unequal: invert(equal),
  'less.number': lessNumber,
  'less.string': lessString,
  'atMost.number': invert(swap(lessNumber)),
  'atMost.string': invert(swap(lessString)),
  'greater.number': swap(lessNumber),
  'greater.string': swap(lessString),
  'atLeast.number': invert(lessNumber),
  'atLeast.string': invert(lessString),
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
  'string.number': toDigits,
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
  on: compareAs(toSegments),
  number: compareAs(toNumberOrZero),
};
