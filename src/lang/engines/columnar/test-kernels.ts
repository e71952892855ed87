import type { NumberVector } from './vector.ts';

// Each loop tests the first `count` rows and sets the bit of every row that passes. The loops differ in one line:
// shared, it would be a call, and several times slower. Bits are collected in a register, 32 rows at a time (a shift
// uses only the last five bits of the index). `Number` converts a comparison to a bit without a branch that could be
// mispredicted.

/** Marks a dictionary entry that has not been tested. A tested entry is 0 or 1. */
const UNKNOWN = 2;

/** Creates the array of test results for the entries of a dictionary. */
export function createVerdicts(dictionary: { readonly length: number }): Uint8Array {
  return new Uint8Array(dictionary.length).fill(UNKNOWN);
}

/** Finds the rows where the left number is less than the right one. */
export function testLess(left: NumberVector, right: NumberVector, count: number, bits: Int32Array): void {
  const { values: leftValues, mask: leftMask } = left;
  const { values: rightValues, mask: rightMask } = right;
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) {
      const holds = (leftValues[index & leftMask] as number) < (rightValues[index & rightMask] as number);
      word |= Number(holds) << index;
    }
    bits[first >> 5] = word;
  }
}

/** Finds the rows where the left number is at most the right one. */
export function testAtMost(left: NumberVector, right: NumberVector, count: number, bits: Int32Array): void {
  const { values: leftValues, mask: leftMask } = left;
  const { values: rightValues, mask: rightMask } = right;
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) {
      const holds = (leftValues[index & leftMask] as number) <= (rightValues[index & rightMask] as number);
      word |= Number(holds) << index;
    }
    bits[first >> 5] = word;
  }
}

/** Finds the rows where both numbers are equal, or both are missing. */
export function testSame(left: NumberVector, right: NumberVector, count: number, bits: Int32Array): void {
  const { values: leftValues, mask: leftMask } = left;
  const { values: rightValues, mask: rightMask } = right;
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) {
      const a = leftValues[index & leftMask] as number;
      const b = rightValues[index & rightMask] as number;
      word |= (Number(a === b) | (Number(Number.isNaN(a)) & Number(Number.isNaN(b)))) << index;
    }
    bits[first >> 5] = word;
  }
}

/** Finds the rows whose number is one of a few. */
export function testAmongFew({ values, mask }: NumberVector, few: Float64Array, count: number, bits: Int32Array): void {
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) {
      const number = values[index & mask] as number;
      let isAmong = 0;
      for (let at = 0; at < few.length; at++) isAmong |= Number(number === few[at]);
      word |= isAmong << index;
    }
    bits[first >> 5] = word;
  }
}

/** Finds the rows whose number is in a set. */
export function testAmong(
  { values, mask }: NumberVector,
  set: ReadonlySet<unknown>,
  count: number,
  bits: Int32Array,
): void {
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) word |= Number(set.has(values[index & mask] as number)) << index;
    bits[first >> 5] = word;
  }
}

/** Finds the rows whose dictionary entry passes. Each entry is tested once, when the first row has it. */
export function testEntries(
  codes: Uint32Array,
  verdicts: Uint8Array,
  test: (code: number) => boolean,
  count: number,
  bits: Int32Array,
): void {
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) {
      const code = codes[index] as number;
      let verdict = verdicts[code] as number;
      if (verdict === UNKNOWN) {
        verdict = Number(test(code));
        verdicts[code] = verdict;
      }
      word |= verdict << index;
    }
    bits[first >> 5] = word;
  }
}

/** Finds the rows whose dictionary entry has all bits of a signature. */
export function testSignatures(
  codes: Uint32Array,
  signatures: Int32Array,
  [first32, last32]: readonly [number, number],
  count: number,
  bits: Int32Array,
): void {
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) {
      const at = (codes[index] as number) * 2;
      const lacking = (~(signatures[at] as number) & first32) | (~(signatures[at + 1] as number) & last32);
      word |= Number(lacking === 0) << index;
    }
    bits[first >> 5] = word;
  }
}

/** Finds the rows that pass by calling the test for each row. */
export function testEach(test: (index: number) => boolean, count: number, bits: Int32Array): void {
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) word |= Number(test(index)) << index;
    bits[first >> 5] = word;
  }
}
