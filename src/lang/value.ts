import { BOOLEAN, getTypeNames, LIST, NULL, NUMBER, STRING, type TypeName, type TypeSet, UNDEFINED } from './types.ts';
import { pluralize, quoteString } from './util/strings.ts';

/** What a list can hold. */
export type Scalar = string | number | boolean | null;

/** What an expression answers: a number is finite and never negative zero; a list is flat (language, section 1). */
export type Value = Scalar | undefined | readonly Scalar[];

/**
 * A record's properties, as `JSON.parse` gives them: not the record around them, which may have a property called `properties`
 * like any other. Whatever else a host puts there reads as undefined; a proxy may answer what it likes.
 */
export type Properties = Readonly<Record<string, unknown>>;

/** The value's type as a set of one. */
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

/** The value's type as people call it. */
export function getTypeName(value: Value): TypeName {
  return getTypeNames(getType(value))[0] as TypeName;
}

/**
 * Reads a property that the record itself has (language, section 1). Inherited names, objects, functions, NaN and ±Infinity
 * are undefined, and so is whatever a host object throws instead of answering: a filter never fails for the shape of a record.
 */
export function readProperty(record: Properties | undefined, name: string): Value {
  try {
    return hasProperty(record, name) ? readValue(record[name]) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the record itself has the property, whatever it holds. A host object may throw. */
export function hasProperty(record: Properties | undefined, name: string): record is Properties {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, name);
}

/** What a property of a record holds, as the language has it. A hostile array may throw. */
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
  if (index < raw.length) for (const behind of indexesFrom(index, raw)) add(list, raw[behind]);
  return list;
}

function add(list: Scalar[], raw: unknown): void {
  const scalar = readScalar(raw);
  if (scalar !== undefined) list.push(scalar);
}

/** Where an array with holes has elements, from an index on: it may have a few in billions of places. */
function indexesFrom(start: number, array: readonly unknown[]): number[] {
  return Reflect.ownKeys(array)
    .filter((key) => typeof key === 'string' && String(Number(key) >>> 0) === key)
    .map(Number)
    .filter((index) => index >= start && index < array.length);
}

/** A number as the language has it: not finite is undefined, negative zero is zero (language, section 1). */
export function undefinedIfNotFinite(number: number): number | undefined {
  return Number.isFinite(number) ? number + 0 : undefined;
}

/** `==` (language, section 4, rule 3). */
export function isEqual(left: Value, right: Value): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((element, index) => element === right[index]);
}

/** Order by Unicode code point (language, section 4, rule 4): negative, zero or positive. */
export function compareStrings(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let index = 0;
  while (index < shorter && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  if (index === shorter) return left.length - right.length;
  // Where the second half of a surrogate pair differs, its code point begins one unit before.
  const inPair =
    index > 0 && isHalf(left, index - 1, 0xd800) && [left, right].some((text) => isHalf(text, index, 0xdc00));
  if (inPair) index--;
  return (left.codePointAt(index) ?? 0) - (right.codePointAt(index) ?? 0);
}

/** Whether the unit is a first (from 0xd800) or a second (from 0xdc00) half of a surrogate pair. */
function isHalf(text: string, index: number, from: 0xd800 | 0xdc00): boolean {
  return (text.charCodeAt(index) & 0xfc00) === from;
}

/**
 * The number that a decimal text means, undefined for any other text (language, section 3). `Number` takes more: the empty text,
 * blanks around a number, other bases, `Infinity`. All of these begin or end unlike a decimal, or have a letter second.
 */
export function parseDecimal(text: string): number | undefined {
  const number = Number(text);
  if (number - number !== 0 || !isDecimalEnd(text.charCodeAt(0)) || !isDecimalEnd(text.charCodeAt(text.length - 1))) {
    return undefined;
  }
  // 0x, 0b and 0o, in either case: what a decimal has after a 0 is no such letter.
  return text.charCodeAt(0) === 0x30 && isBase(text.charCodeAt(1)) ? undefined : number + 0;
}

/** Whether the character is a digit, a point or a sign. */
function isDecimalEnd(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2e || unit === 0x2b || unit === 0x2d;
}

function isBase(unit: number): boolean {
  const lower = unit | 0x20;
  return lower === 0x78 || lower === 0x62 || lower === 0x6f;
}

/** Decimal text: the shortest digits that read back as the same double, never an exponent (language, section 3). */
export function formatDecimal(number: number): string {
  const text = String(number);
  const exponentAt = text.indexOf('e');
  return exponentAt === -1 ? text : spellOut(text.slice(0, exponentAt), Number(text.slice(exponentAt + 1)));
}

/** Writes digits times a power of ten without the power. */
function spellOut(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const digits = whole + fraction;
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - whole.length)}${digits}`
    : `${sign}${digits.padEnd(whole.length + exponent, '0')}`;
}

/** A value as people write it: JSON, with the decimal text of numbers, and `undefined`. */
export function showValue(value: Value): string {
  if (typeof value === 'number') return formatDecimal(value);
  if (Array.isArray(value)) return `[${value.map(showValue).join(', ')}]`;
  return typeof value === 'string' ? quoteString(value) : String(value);
}

/** People read no more. */
const MAX_LISTED = 100;

/** Values in a row, each as `show` writes it; of more than 100 the first, and how many others there are. */
export function listValues<Some extends Value>(values: readonly Some[], show: (value: Some) => string): string {
  const shown = values.slice(0, MAX_LISTED).map(show).join(', ');
  const others = values.length - MAX_LISTED;
  return others > 0 ? `${shown} and ${pluralize(others, 'other')}` : shown;
}
