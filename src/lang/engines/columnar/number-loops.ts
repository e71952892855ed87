import type { NumberVector } from './vector.ts';

/** Applies a function without a kernel to each number; NaN stands for undefined. */
export function mapNumbers(
  { values, mask }: NumberVector,
  answer: (number: number) => number | undefined,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    const number = values[index & mask] as number;
    out[index] = Number.isNaN(number) ? number : (answer(number) ?? Number.NaN);
  }
}

/** Marks an entry that has not been evaluated: no value is infinite. */
const UNKNOWN = Number.POSITIVE_INFINITY;

/** A place for the numbers of the entries of a dictionary. */
export function createNumbers(dictionary: { readonly length: number }): Float64Array {
  return new Float64Array(dictionary.length).fill(UNKNOWN);
}

/** The numbers that entries stand for; each is evaluated once, when the first row has it. */
export function mapEntries(
  codes: Uint32Array,
  known: Float64Array,
  evaluate: (code: number) => number,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    const code = codes[index] as number;
    let number = known[code] as number;
    if (number === UNKNOWN) {
      number = evaluate(code);
      known[code] = number;
    }
    out[index] = number;
  }
}

/** The numbers of a vector where a column has a number, and those that the entries stand for where it has none. */
export function mapNumbersOrEntries(
  { values, mask }: NumberVector,
  { values: numbers }: NumberVector,
  codes: Uint32Array,
  known: Float64Array,
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
    let number = known[code] as number;
    if (number === UNKNOWN) {
      number = evaluate(code);
      known[code] = number;
    }
    out[index] = number;
  }
}
