import { pluralize } from '../util/counted.ts';
import { quoteString } from '../util/quote-text.ts';
import { formatDecimal, type Value } from './value.ts';

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
