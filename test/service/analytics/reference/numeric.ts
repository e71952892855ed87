import type { NumericRequest, Series } from '../../../../src/queries/requests.ts';
import type { Reference } from '../reference.ts';
import { count, countPerBucket } from './counts.ts';
import { countUsers, expectValid, type Occurrence, selectEvents, valuesOf } from './occurrence.ts';

/** A round width: digits times a power of ten. */
interface Width {
  readonly digits: number;
  readonly exponent: number;
}

/** 1, 2, 2.5 and 5, in tenths. */
const DIGITS = [10, 20, 25, 50];

/** Counts an event in each of several equal ranges of a number. */
export function numeric({ data, calendar, moment }: Reference, request: NumericRequest): Series {
  const { event, dates, type, unit, on, where, buckets: maxRanges } = request;
  expectValid([where], on);
  const buckets = calendar.buckets(dates, { unit });
  const candidates = data.filter((each) => each.event === event && buckets.labelOf(each.time) !== undefined);
  const values = valuesOf(on, selectEvents(where, candidates, moment), moment);
  const numbers = new Map([...values].flatMap(([each, value]) => (typeof value === 'number' ? [[each, value]] : [])));
  if (numbers.size === 0) return { buckets: buckets.labels, series: [] };
  const [low, high] = [Math.min(...numbers.values()), Math.max(...numbers.values())];
  const width = widthFor(low, high, maxRanges);
  const ranges = Array.from(
    { length: rangesBetween(low, high, width) },
    (_, index) => BigInt(rangeOf(low, width)) + BigInt(index),
  );
  const amount = (some: readonly Occurrence[]) => {
    if (type !== 'average') return count(type, some);
    return some.length === 0 ? 0 : countUsers(some) / some.length;
  };
  const series = ranges.map((range) => {
    const within = [...numbers].filter(([, number]) => BigInt(rangeOf(number, width)) === range).map(([each]) => each);
    const name = `${formatBound(range, width)} - ${formatBound(range + 1n, width)}`;
    return { name, values: countPerBucket(buckets, within, amount) };
  });
  return { buckets: buckets.labels, series };
}

/**
 * Returns the smallest width that needs no more ranges than requested. No range spans numbers on both sides of 0. A
 * single number has a range of width 1.
 */
export function widthFor(low: number, high: number, maxRanges: number): Width {
  if (low === high) return { digits: 10, exponent: -1 };
  const tenth = high / 10 - low / 10;
  // Narrower ranges are always more, even if rounding hides it.
  const minWidth = (high / 2 - low / 2) / (maxRanges / 2 + 1);
  const start = Math.max(-308, Math.floor(Math.log10(tenth / Math.max(maxRanges, 2))) - 2);
  for (let exponent = start; exponent <= 307; exponent++) {
    const digits = DIGITS.find((each) => {
      const width = { digits: each, exponent };
      const twoSides = rangeOf(low, width) < 0 && rangeOf(high, width) >= 0;
      const isWide = Number(`${each}e${exponent}`) >= minWidth;
      return isWide && rangesBetween(low, high, width) <= (twoSides ? Math.max(maxRanges, 2) : maxRanges);
    });
    if (digits !== undefined) return { digits, exponent };
  }
  throw new RangeError(`No range holds ${low} and ${high}`);
}

function rangesBetween(low: number, high: number, width: Width): number {
  return rangeOf(high, width) - rangeOf(low, width) + 1;
}

/** Returns the number of the range that contains a number. */
function rangeOf(number: number, { digits, exponent }: Width): number {
  const width = Number(`${digits}e${exponent}`);
  // 2e308 exceeds a double and is wider than any number.
  if (width === Number.POSITIVE_INFINITY) return number < 0 ? -1 : 0;
  return Math.floor(number / width);
}

/** Formats the start of a range: `2,000`, `-0.25`. */
function formatBound(range: bigint, { digits, exponent }: Width): string {
  const tenths = range * BigInt(digits);
  const sign = tenths < 0n ? '-' : '';
  const digitString = String(tenths < 0n ? -tenths : tenths) + '0'.repeat(tenths === 0n ? 0 : Math.max(exponent, 0));
  const decimals = Math.max(-exponent, 0);
  const padded = digitString.padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = padded.slice(padded.length - decimals).replace(/0+$/, '');
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`);
}
