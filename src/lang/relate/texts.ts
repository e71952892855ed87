import { parseDateTime } from '../operators/time.ts';
import { compareStrings } from '../value.ts';
import { type Constants, listPrefixes } from './constants.ts';
import { FIRST_SECOND, LAST_SECOND } from './transfers.ts';
import type { TextClass } from './value-set.ts';

/** A class of strings, with one that is neither a decimal nor a date. */
export interface TextRegion {
  readonly text: TextClass;
  readonly sample?: string;
}

/** More searched strings are not told apart. */
const MAX_PARTS = 10;
/** More classes are not told apart. */
const MAX_REGIONS = 1_500;
const DAY = 86_400;
const { MAX_VALUE } = Number;
/** No code point is as large. */
const END = 0x110000;

/**
 * Divides all strings but the constants into classes: by the place among the ordered constants, the searched constants
 * that they contain, and what reads them. Returns undefined if there are too many.
 */
export function listTextRegions(constants: Constants): readonly TextRegion[] | undefined {
  const parts = [...constants.parts];
  if (parts.length > MAX_PARTS) return undefined;
  const excluded = constants.strings;
  const used = new Set([...excluded, ...parts].flatMap((string) => Array.from(string, toCodePoint)));
  const separator = findSeparator(used);
  const ends = [undefined, ...[...constants.ordered].sort(compareStrings), undefined];
  const subsets = listSubsets(parts);
  if (ends.length * subsets.length > MAX_REGIONS) return undefined;
  return ends.slice(1).flatMap((high, index) => {
    const low = ends[index];
    const escapes = listEscapes(low, high, used).map((prefix) => {
      return { prefix, parts: parts.filter((part) => prefix.includes(part)) };
    });
    return subsets.flatMap((contained): TextRegion[] => {
      const text: TextClass = {
        ...{ kind: 'class', excluded, low, high, form: constants.readsForms ? 'plain' : 'any', from: 0, to: 0 },
        parts: new Map(parts.map((part) => [part, contained.has(part)])),
      };
      const start = escapes.find(({ parts: begun }) => begun.every((part) => contained.has(part)))?.prefix;
      const plain = start === undefined ? [] : [{ text, sample: [start, ...contained, ''].join(separator) }];
      return constants.readsForms ? [...plain, ...listForms(text)] : plain;
    });
  });
}

function toCodePoint(character: string): number {
  return character.codePointAt(0) as number;
}

/** Returns a character that no constant has, and neither a decimal nor a date. */
function findSeparator(used: ReadonlySet<number>): string {
  const wanted = Array.from('~*#|_^', toCodePoint).find((point) => !used.has(point));
  return String.fromCodePoint(wanted ?? findUnused(used, 0x3b0, END) ?? 0);
}

/** Returns the first unused code point between two. */
function findUnused(used: ReadonlySet<number>, after: number, before: number): number | undefined {
  for (let point = after + 1; point < before; point++) if (!used.has(point)) return point;
  return undefined;
}

/** Lists the sets of searched strings that a string can contain: with a string, they contain what is in it. */
function listSubsets(parts: readonly string[]): ReadonlySet<string>[] {
  const subsets: ReadonlySet<string>[] = [];
  for (let bits = 0; bits < 2 ** parts.length; bits++) {
    const subset = new Set(parts.filter((_, index) => (bits & (1 << index)) !== 0));
    const isClosed = parts.every((part) => subset.has(part) || ![...subset].some((outer) => outer.includes(part)));
    if (isClosed) subsets.push(subset);
  }
  return subsets;
}

/**
 * Lists prefixes that keep every string between two constants, whatever follows. Each string there that is not a prefix
 * of a constant begins like one of them, and then contains all the searched strings that this prefix contains.
 */
function listEscapes(low: string | undefined, high: string | undefined, used: ReadonlySet<number>): string[] {
  if (low === undefined && high === undefined) return [''];
  const escapes: string[] = [];
  for (const prefix of new Set([...listPrefixes(low ?? ''), ...listPrefixes(high ?? '')])) {
    const [after, before] = [findAfter(prefix, low), findBefore(prefix, high)];
    const unused = findUnused(used, after, before);
    const next = unused === undefined ? [...used].filter((point) => point > after && point < before) : [unused];
    for (const point of next) escapes.push(prefix + String.fromCodePoint(point));
  }
  return escapes.sort((left, right) => left.length - right.length);
}

/** Returns a code point that those after the prefix must exceed, for strings that come after `low`. */
function findAfter(prefix: string, low: string | undefined): number {
  if (low?.startsWith(prefix)) return low.codePointAt(prefix.length) ?? -1;
  return low === undefined || compareStrings(prefix, low) > 0 ? -1 : END;
}

/** Returns a code point that those after the prefix must be below, for strings that come before `high`. */
function findBefore(prefix: string, high: string | undefined): number {
  if (high?.startsWith(prefix)) return high.codePointAt(prefix.length) ?? 0;
  return high === undefined || compareStrings(prefix, high) < 0 ? END : 0;
}

/** Lists the classes of decimals and dates among the strings of a class. */
function listForms(text: TextClass): TextRegion[] {
  const { low, high } = text;
  // Both begin with a digit, but for a sign or a point before it.
  if (low !== undefined && low >= ':') return [];
  const contained = [...text.parts].flatMap(([part, isContained]) => (isContained ? [part] : []));
  const regions: TextRegion[] = [];
  if (contained.every((part) => /^[-+.eE0-9]*$/.test(part)) && (high === undefined || high > '+')) {
    // Digits after "." have no sign.
    const from = low !== undefined && low >= '.' ? 0 : -MAX_VALUE;
    regions.push({ text: { ...text, form: 'decimal', from, to: MAX_VALUE } });
  }
  if (contained.every((part) => /^[-+.:TZ 0-9]*$/.test(part)) && (high === undefined || high > '0')) {
    const from = (toDay(low, '01') ?? FIRST_SECOND) - 2 * DAY;
    const to = (toDay(high, '12') ?? LAST_SECOND) + 6 * DAY;
    const [first, last] = [Math.max(from, FIRST_SECOND), Math.min(to, LAST_SECOND)];
    if (first <= last) regions.push({ text: { ...text, form: 'date', from: first, to: last } });
  }
  return regions;
}

/** Returns a time near the days that begin like a string: at most two days after the first, six before the last. */
function toDay(string: string | undefined, otherMonth: string): number | undefined {
  const [, year, month = otherMonth, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?/.exec(string ?? '') ?? [];
  if (year === undefined) return undefined;
  const between = (text: string, most: number) => String(Math.min(Math.max(Number(text), 1), most)).padStart(2, '0');
  const otherDay = otherMonth === '01' ? '01' : '28';
  return parseDateTime(`${year}-${between(month, 12)}-${between(day ?? otherDay, 28)}`);
}
