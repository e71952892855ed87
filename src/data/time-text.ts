import { MAX_SECONDS, parseDateTime } from '../lang/operators/time.ts';

/**
 * Rewrites common spellings of times to the one that `datetime` reads: pairs of a pattern and its replacement, applied
 * in this order. DuckDB applies the same patterns to columns.
 */
export const TIME_SPELLINGS: readonly (readonly [pattern: string, replacement: string])[] = [
  // 2025/06/01: a year in front leaves no doubt which number is the month.
  ['^(\\d{4})/(\\d\\d)/(\\d\\d)', '$1-$2-$3'],
  // 1.6.2025: wherever dates are written with dots, the day is first.
  ['^(\\d\\.\\d\\d?\\.\\d{4})', '0$1'],
  ['^(\\d\\d)\\.(\\d)\\.', '$1.0$2.'],
  ['^(\\d\\d)\\.(\\d\\d)\\.(\\d{4})', '$3-$2-$1'],
  // 9:30
  ['^(\\d{4}-\\d\\d-\\d\\d[T ])(\\d:)', '$10$2'],
  [' ?(?:UTC|GMT)$', 'Z'],
  // A space before the offset: 12:00:00 +0000
  ['(:\\d\\d(?:\\.\\d+)?) (Z|[+-]\\d\\d:?(?:\\d\\d)?)$', '$1$2'],
  // +0000
  ['(:\\d\\d(?:\\.\\d+)?[+-]\\d\\d)(\\d\\d)$', '$1:$2'],
  // +00
  ['(:\\d\\d(?:\\.\\d+)?[+-]\\d\\d)$', '$1:00'],
  // 12:00 without seconds
  ['^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)(Z|[+-]\\d\\d:\\d\\d)?$', '$1:00$2'],
];

/** Matches strings that are times as numbers. */
export const NUMERIC_TIME = '^\\d{1,19}(?:\\.\\d+)?$';

const SPELLINGS = TIME_SPELLINGS.map(([pattern, replacement]) => [new RegExp(pattern), replacement] as const);
const NUMERIC = new RegExp(NUMERIC_TIME);

/** Reads a number as `datetime` does: seconds from 1, or milliseconds. Times after the year 2105 are undefined. */
export function readNumericTime(time: number): number | undefined {
  const seconds = time > MAX_SECONDS ? Math.floor(time / 1000) : time;
  return seconds >= 1 && seconds <= MAX_SECONDS ? seconds : undefined;
}

/** A million: what a microsecond is of a second, and a nanosecond of a millisecond. */
export const TINY_TIMES = 1_000_000;

/** Reads a number of a column: also microseconds and nanoseconds, which are too large to be milliseconds. */
function readColumnTime(time: number): number | undefined {
  return readNumericTime(time) ?? (time > MAX_SECONDS ? readNumericTime(Math.floor(time / TINY_TIMES)) : undefined);
}

/** Reads the time of a column in Unix seconds: a number, a date or a number as a string. */
export function readTimeValue(value: unknown): number | undefined {
  if (typeof value === 'number') return readColumnTime(value);
  if (typeof value !== 'string') return undefined;
  if (NUMERIC.test(value)) return readColumnTime(Number(value));
  const seconds = parseDateTime(SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), value));
  return seconds !== undefined && seconds >= 1 && seconds <= MAX_SECONDS ? seconds : undefined;
}
