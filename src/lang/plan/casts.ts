import { FUNCTIONS } from '../operators/table.ts';
import { parseDecimal, readValue } from '../value.ts';
import { dispatch } from './dispatch.ts';
import { nanIfNotFinite } from './numbers.ts';

/** Evaluates `number(...)` on a value or a raw property; returns NaN for undefined (language, section 3). */
export function castToNumber(raw: unknown): number {
  if (typeof raw === 'number') return nanIfNotFinite(raw);
  if (typeof raw === 'string') return parseDecimal(raw) ?? Number.NaN;
  return typeof raw === 'boolean' ? Number(raw) : Number.NaN;
}

const toBoolean = dispatch(FUNCTIONS.boolean.overloads);

/** Returns whether `boolean(...)` of a value or a raw property is true (language, section 3). */
export function castToTruth(raw: unknown): boolean {
  if (typeof raw === 'boolean') return raw;
  return raw !== undefined && raw !== null && toBoolean(readValue(raw)) === true;
}
