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

/** Writes the vector's number where the column has a number, and otherwise the number of the dictionary entry. */
export function mapNumbersOrEntries(
  { values, mask }: NumberVector,
  { values: numbers }: NumberVector,
  codes: Uint32Array,
  numberByEntry: Float64Array,
  evaluate: (code: number) => number,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    if (!Number.isNaN(numbers[index])) {
      out[index] = values[index & mask] as number;
      continue;
    }
    const code = codes[index] as number;
    let number = numberByEntry[code] as number;
    if (number === UNKNOWN) {
      number = evaluate(code);
      numberByEntry[code] = number;
    }
    out[index] = number;
  }
}
