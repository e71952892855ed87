import { quoteString, truncate } from '../../../base/strings.ts';
import { formatDecimal } from '../../../lang/value.ts';

/** Longer strings are truncated. */
const MAX_WIDTH = 40;

/** Quotes, truncates and escapes a client's string for a message. */
export function quoteForMessage(text: string): string {
  return quoteString(truncate(text, MAX_WIDTH));
}

/** Describes parsed JSON for a message: `the string "abc"`, `12`, `null`, `a list`, `missing`. */
export function describeJson(json: unknown): string {
  if (typeof json === 'string') return json === '' ? 'an empty string' : `the string ${quoteForMessage(json)}`;
  if (typeof json === 'number')
    return Number.isFinite(json) ? truncate(formatDecimal(json), MAX_WIDTH) : 'a number too large';
  if (typeof json !== 'object' || json === null) return json === undefined ? 'missing' : String(json);
  return Array.isArray(json) ? 'a list' : 'an object';
}
