const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

// Casts for the filters written by hand, and for engines without such functions. NaN means that a value is not a
// number; comparisons with it are false, as with undefined.

/** Returns a finite number, or NaN for any other value. */
export function toFiniteNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}

/** `number(…)` (language, section 3). */
export function castToNumber(value: unknown): number {
  if (typeof value === 'string') return DECIMAL.test(value) ? toFiniteNumber(Number(value)) : Number.NaN;
  return typeof value === 'boolean' ? Number(value) : toFiniteNumber(value);
}

/** `boolean(…)` (language, section 3), where undefined counts as false. */
export function castToBoolean(value: unknown): boolean {
  if (typeof value === 'string') return value === 'true' || value === '1' || value === 'yes';
  return typeof value === 'number' ? value !== 0 && Number.isFinite(value) : value === true;
}

/** `"part" in …` for a string (language, section 4, rule 5). */
export function includesString(value: unknown, part: string): boolean {
  return typeof value === 'string' && value.includes(part);
}
