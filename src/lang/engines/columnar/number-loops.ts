import type { NumberVector } from './vector.ts';

/** Applies a function without a kernel to each number. NaN means undefined. */
export function mapNumbers(
  { values, mask }: NumberVector,
  apply: (number: number) => number | undefined,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    const number = values[index & mask] as number;
    out[index] = Number.isNaN(number) ? number : (apply(number) ?? Number.NaN);
  }
}

/** Marks an entry that has not been evaluated: no value is infinite. */
const UNKNOWN = Number.POSITIVE_INFINITY;

/** Creates the array of numbers for the entries of a dictionary. */
export function createNumbers(dictionary: { readonly length: number }): Float64Array {
  return new Float64Array(dictionary.length).fill(UNKNOWN);
}

/** Writes the number of each row's dictionary entry. Each entry is evaluated once, when the first row has it. */
export function mapEntries(
  codes: Uint32Array,
  numberByEntry: Float64Array,
  evaluate: (code: number) => number,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    const code = codes[index] as number;
    let number = numberByEntry[code] as number;
    if (number === UNKNOWN) {
      number = evaluate(code);
      numberByEntry[code] = number;
    }
    out[index] = number;
  }
}

/** Replaces the numbers of rows where the column has one by those of the vector. */
export function replaceNumbers(
  { values, mask }: NumberVector,
  { values: numbers }: NumberVector,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    if (!Number.isNaN(numbers[index])) out[index] = values[index & mask] as number;
  }
}

/** Writes left - right, which unlike the difference of the language may be infinite. */
export function computeDifferences(
  { values: left, mask }: NumberVector,
  { values: right, mask: rightMask }: NumberVector,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    out[index] = (left[index & mask] as number) - (right[index & rightMask] as number);
  }
}

/** Writes 1 if both numbers are equal or both are missing, else 0. */
export function findSame(
  { values: left, mask }: NumberVector,
  { values: right, mask: rightMask }: NumberVector,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    const [a, b] = [left[index & mask] as number, right[index & rightMask] as number];
    out[index] = Number(a === b) | (Number(Number.isNaN(a)) & Number(Number.isNaN(b)));
  }
}

/** Writes 1 if the number is one of a few, else 0. */
export function findAmong({ values, mask }: NumberVector, few: Float64Array, count: number, out: Float64Array): void {
  for (let index = 0; index < count; index++) {
    const number = values[index & mask] as number;
    let isAmong = 0;
    for (let at = 0; at < few.length; at++) isAmong |= Number(number === few[at]);
    out[index] = isAmong;
  }
}
