import type { BinaryName } from '../../language/ast.ts';
import type { Vector } from './vector.ts';

// The loops over numbers: each writes the first `count` to `out`. No number is NaN, which takes its course through all of them; and
// `x + (x - x)` is x, but NaN where x is infinite: no answer (language, section 1). The loops are alike but for one line: shared, that
// line would be a call, and several times slower.

type BinaryKernel = (left: Vector, right: Vector, count: number, out: Float64Array) => void;
type UnaryKernel = (operand: Vector, count: number, out: Float64Array) => void;

/** The arithmetic of two numbers (language, section 4, rules 1 and 2). */
export const ARITHMETIC_KERNELS = {
  '+': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const sum = (left[index & mask] as number) + (right[index & rightMask] as number);
      out[index] = sum + (sum - sum);
    }
  },
  '-': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const difference = (left[index & mask] as number) - (right[index & rightMask] as number);
      out[index] = difference + (difference - difference);
    }
  },
  '*': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const product = (left[index & mask] as number) * (right[index & rightMask] as number);
      out[index] = product + (product - product);
    }
  },
  '/': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const quotient = (left[index & mask] as number) / (right[index & rightMask] as number);
      out[index] = quotient + (quotient - quotient);
    }
  },
  '%': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const dividend = left[index & mask] as number;
      const divisor = right[index & rightMask] as number;
      const whole = dividend | 0;
      const wholeDivisor = divisor | 0;
      // The remainder of doubles is a call into a library, that of whole numbers one instruction.
      const areWhole = whole === dividend && wholeDivisor === divisor && wholeDivisor !== 0;
      out[index] = areWhole ? (whole % wholeDivisor) | 0 : dividend % divisor;
    }
  },
} as const satisfies Partial<Record<BinaryName, BinaryKernel>>;

/** The functions of one number (language, section 4, rules 7 and 8). */
export const FUNCTION_KERNELS = {
  '-': ({ values, mask }, count, out) => {
    for (let index = 0; index < count; index++) out[index] = -(values[index & mask] as number);
  },
  floor: ({ values, mask }, count, out) => {
    for (let index = 0; index < count; index++) out[index] = Math.floor(values[index & mask] as number);
  },
  ceil: ({ values, mask }, count, out) => {
    for (let index = 0; index < count; index++) out[index] = Math.ceil(values[index & mask] as number);
  },
} as const satisfies Record<string, UnaryKernel>;

/** Any other function of a number; undefined is no number. */
export function mapNumbers(
  { values, mask }: Vector,
  answer: (number: number) => number | undefined,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    const number = values[index & mask] as number;
    out[index] = Number.isNaN(number) ? number : (answer(number) ?? Number.NaN);
  }
}

/** What is known of an entry before it is asked for its number: no number is infinite. */
const UNKNOWN = Number.POSITIVE_INFINITY;

/** A place for the numbers of the entries of a dictionary. */
export function numbersFor(dictionary: { readonly length: number }): Float64Array {
  return new Float64Array(dictionary.length).fill(UNKNOWN);
}

/** The numbers that entries stand for; each entry is asked once, when the first row has it. */
export function numbersOfEntries(
  codes: Uint32Array,
  known: Float64Array,
  ask: (code: number) => number,
  count: number,
  out: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    const code = codes[index] as number;
    let number = known[code] as number;
    if (number === UNKNOWN) {
      number = ask(code);
      known[code] = number;
    }
    out[index] = number;
  }
}

/** The numbers of a vector where a column has a number, and those that the entries stand for where it has none. */
export function numbersOrEntries(
  { values, mask }: Vector,
  { values: numbers }: Vector,
  codes: Uint32Array,
  known: Float64Array,
  ask: (code: number) => number,
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
      number = ask(code);
      known[code] = number;
    }
    out[index] = number;
  }
}
