import { quoteString, truncate } from '../../lang/util/strings.ts';
import { formatDecimal } from '../../lang/value.ts';

/** Longer texts are shortened. */
const MAX_WIDTH = 40;

/** A client's text, quoted, short and safe to show. */
export function quoteForMessage(text: string): string {
  return quoteString(truncate(text, MAX_WIDTH));
}

/** What parsed JSON is, for messages: `the text "abc"`, `12`, `null`, `a list`, `missing`. */
export function describeJson(json: unknown): string {
  if (typeof json === 'string') return json === '' ? 'an empty text' : `the text ${quoteForMessage(json)}`;
  if (typeof json === 'number')
    return Number.isFinite(json) ? truncate(formatDecimal(json), MAX_WIDTH) : 'a number too large';
  if (typeof json !== 'object' || json === null) return json === undefined ? 'missing' : String(json);
  return Array.isArray(json) ? 'a list' : 'an object';
}
