import { formatDecimal } from '../language/value.ts';

/** An id as its column holds it: a text that is not empty as it is, a number as its text; undefined for what is no id. */
export function readId(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isFinite(id) ? formatDecimal(id) : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
