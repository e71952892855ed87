import { pluralize, quoteString } from '../base/strings.ts';
import { BOOLEAN, getTypeNames, LIST, NULL, NUMBER, STRING, type TypeName, type TypeSet, UNDEFINED } from './types.ts';

/** An element of a list. */
export type Scalar = string | number | boolean | null;

/** The value of an expression. Numbers are finite and never negative zero, lists are flat (language, section 1). */
export type Value = Scalar | undefined | readonly Scalar[];

/**
 * The properties of a record by name, as `JSON.parse` returns them. Pass the properties, not the record that contains
 * them: a property can itself be called `properties`. Values that JSON does not have read as undefined. Functions take
 * any object, so that its type can be an interface.
 */
export type Properties = Readonly<Record<string, unknown>>;

/** Returns the type of a value, as a set of one type. */
export function getType(value: Value): TypeSet {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
      return NUMBER;
    case 'boolean':
      return BOOLEAN;
    case 'undefined':
      return UNDEFINED;
    default:
      return value === null ? NULL : LIST;
  }
}

/** Returns the name of the type of a value. */
export function getTypeName(value: Value): TypeName {
  return getTypeNames(getType(value))[0] as TypeName;
}

/**
 * Reads an own property of a record (language, section 1). Inherited names, objects, functions, NaN and ±Infinity read
 * as undefined. So does a property whose getter throws: a filter never fails because of the shape of a record.
 */
export function readProperty(record: object | undefined, name: string): Value {
  try {
    return hasProperty(record, name) ? readValue(record[name]) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a record has an own property of this name. A proxy can throw. */
export function hasProperty(record: object | undefined, name: string): record is Properties {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, name);
}

/** Converts a property of a record to a value of the language. A hostile array can throw. */
export function readValue(raw: unknown): Value {
  return typeof raw === 'object' && raw !== null ? readList(raw) : readScalar(raw);
}

function readScalar(raw: unknown): Scalar | undefined {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
      return raw;
    case 'number':
      return undefinedIfNotFinite(raw);
    default:
      return raw === null ? null : undefined;
  }
}

function readList(raw: object): readonly Scalar[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  const list: Scalar[] = [];
  let index = 0;
  for (; index < raw.length && Object.hasOwn(raw, index); index++) add(list, raw[index]);
  if (index < raw.length) for (const next of listIndexesFrom(index, raw)) add(list, raw[next]);
  return list;
}

function add(list: Scalar[], raw: unknown): void {
  const scalar = readScalar(raw);
  if (scalar !== undefined) list.push(scalar);
}

/** Lists the indexes of an array with holes from `start`, without a loop over billions of empty places. */
function listIndexesFrom(start: number, array: readonly unknown[]): number[] {
  return Reflect.ownKeys(array)
    .filter((key) => typeof key === 'string' && String(Number(key) >>> 0) === key)
    .map(Number)
    .filter((index) => index >= start && index < array.length);
}

/** Returns undefined for NaN and ±Infinity, and 0 for negative zero (language, section 1). */
export function undefinedIfNotFinite(number: number): number | undefined {
  return Number.isFinite(number) ? number + 0 : undefined;
}

/** Evaluates `==` (language, section 4, rule 3). */
export function isEqual(left: Value, right: Value): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((element, index) => element === right[index]);
}

/** Compares strings by Unicode code point (language, section 4, rule 4); returns a number as a `sort` callback does. */
export function compareStrings(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let index = 0;
  while (index < shorter && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  if (index === shorter) return left.length - right.length;
  // If second halves of surrogate pairs differ, the code points to compare begin one unit earlier.
  const inPair =
    index > 0 && isHalf(left, index - 1, 0xd800) && [left, right].some((side) => isHalf(side, index, 0xdc00));
  if (inPair) index--;
  return (left.codePointAt(index) ?? 0) - (right.codePointAt(index) ?? 0);
}

/** Returns whether a UTF-16 unit is a first half (from 0xd800) or a second half (from 0xdc00) of a surrogate pair. */
function isHalf(string: string, index: number, from: 0xd800 | 0xdc00): boolean {
  return (string.charCodeAt(index) & 0xfc00) === from;
}

/**
 * Parses a decimal; returns undefined for any other string (language, section 3). `Number` accepts more: the empty
 * string, white space around a number, other bases and `Infinity`. The first two and the last unit tell them apart.
 */
export function parseDecimal(text: string): number | undefined {
  const number = Number(text);
  if (number - number !== 0 || !isDecimalEnd(text.charCodeAt(0)) || !isDecimalEnd(text.charCodeAt(text.length - 1))) {
    return undefined;
  }
  // 0x, 0b and 0o, in either case. A decimal never has one of these letters after a 0.
  return text.charCodeAt(0) === 0x30 && isBase(text.charCodeAt(1)) ? undefined : number + 0;
}

/** Returns whether a UTF-16 unit is a digit, a point or a sign. */
function isDecimalEnd(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2e || unit === 0x2b || unit === 0x2d;
}

function isBase(unit: number): boolean {
  const lower = unit | 0x20;
  return lower === 0x78 || lower === 0x62 || lower === 0x6f;
}

/**
 * Formats a number without an exponent, with the shortest digits that read back as the same double (language,
 * section 3).
 */
export function formatDecimal(number: number): string {
  const text = String(number);
  const exponentAt = text.indexOf('e');
  return exponentAt === -1 ? text : spellOut(text.slice(0, exponentAt), Number(text.slice(exponentAt + 1)));
}

/** Formats `mantissa` times ten to the power of `exponent` without the exponent. */
function spellOut(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const digits = whole + fraction;
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - whole.length)}${digits}`
    : `${sign}${digits.padEnd(whole.length + exponent, '0')}`;
}

/** Formats a value for a message: as JSON, with numbers without exponents, or `undefined`. */
export function showValue(value: Value): string {
  if (typeof value === 'number') return formatDecimal(value);
  if (Array.isArray(value)) return `[${value.map(showValue).join(', ')}]`;
  return typeof value === 'string' ? quoteString(value) : String(value);
}

/** A longer list is not read. */
const MAX_LISTED = 100;

/** Lists values, formatted by `show`. If there are over 100, lists the first 100 and counts the others. */
export function listValues<Some extends Value>(values: readonly Some[], show: (value: Some) => string): string {
  const shown = values.slice(0, MAX_LISTED).map(show).join(', ');
  const others = values.length - MAX_LISTED;
  return others > 0 ? `${shown} and ${pluralize(others, 'other')}` : shown;
}
