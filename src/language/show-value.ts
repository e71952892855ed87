import { quoteText } from '../util/quote-text.ts';
import { decimalText, type Value } from './value.ts';

/** A value as people write it: JSON, with the decimal text of numbers, and `undefined`. */
export function showValue(value: Value): string {
  if (typeof value === 'number') return decimalText(value);
  if (Array.isArray(value)) return `[${value.map(showValue).join(', ')}]`;
  return typeof value === 'string' ? quoteText(value) : String(value);
}
