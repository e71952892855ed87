import { FUNCTIONS } from '../operators/table.ts';
import { parseDecimal, readValue } from '../value.ts';
import { dispatch } from './dispatch.ts';
import { nanIfNotFinite } from './numbers.ts';

/** `number(...)` of what a property holds, or of a value, NaN for what has none (language, section 3). */
export function castToNumber(raw: unknown): number {
  if (typeof raw === 'number') return nanIfNotFinite(raw);
  if (typeof raw === 'string') return parseDecimal(raw) ?? Number.NaN;
  return typeof raw === 'boolean' ? Number(raw) : Number.NaN;
}

const toBoolean = dispatch(FUNCTIONS.boolean.overloads);

/** Whether `boolean(...)` of what a property holds, or of a value, is true (language, section 3). */
export function castToTruth(raw: unknown): boolean {
  if (typeof raw === 'boolean') return raw;
  return raw !== undefined && raw !== null && toBoolean(readValue(raw)) === true;
}
