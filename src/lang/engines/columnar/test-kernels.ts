import type { NumberRange } from '../../plan/range.ts';
import type { NumberVector } from './vector.ts';

// Each loop tests the first `count` rows and sets the bit of every row that passes. The loops differ in one line:
// shared, it would be a call, and several times slower. Bits are collected in a register, 32 rows at a time (a shift
// uses only the last five bits of the index). `Number` converts a comparison to a bit without a branch that could be
// mispredicted.

/** Marks a dictionary entry that has not been tested. A tested entry is 0 or 1. */
const UNKNOWN = 0b10000;

/** Creates the array of test results for the entries of a dictionary. */
export function createVerdicts(dictionary: { readonly length: number }): Uint8Array {
  return new Uint8Array(dictionary.length).fill(UNKNOWN);
}

/** Finds the rows whose number is in a range. */
export function testRange({ values }: NumberVector, { low, high }: NumberRange, count: number, bits: Int32Array): void {
  for (let first = 0; first < count; first += 32) {
    let word = 0;
    for (let index = first; index < first + 32; index += 4) {
      const a = values[index] as number;
      const b = values[index + 1] as number;
      const c = values[index + 2] as number;
      const d = values[index + 3] as number;
      const four =
        (Number(a >= low) & Number(a <= high)) |
        ((Number(b >= low) & Number(b <= high)) << 1) |
        ((Number(c >= low) & Number(c <= high)) << 2) |
        ((Number(d >= low) & Number(d <= high)) << 3);
      word |= four << index;
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
  if (!findPassing(codes, verdicts, count, bits)) {
    for (let index = 0; index < count; index++) {
      const code = codes[index] as number;
      if (verdicts[code] === UNKNOWN) verdicts[code] = Number(test(code));
    }
    findPassing(codes, verdicts, count, bits);
  }
}

/** Sets the bits of the rows whose entry passes. Returns false if an entry has not been tested. */
function findPassing(codes: Uint32Array, verdicts: Uint8Array, count: number, bits: Int32Array): boolean {
  let seen = 0;
  for (let first = 0; first < count; first += 32) {
    let word = 0;
    for (let index = first; index < first + 32; index += 4) {
      const four =
        (verdicts[codes[index] as number] as number) |
        ((verdicts[codes[index + 1] as number] as number) << 1) |
        ((verdicts[codes[index + 2] as number] as number) << 2) |
        ((verdicts[codes[index + 3] as number] as number) << 3);
      seen |= four;
      word |= (four & 0b1111) << index;
    }
    bits[first >> 5] = word;
  }
  return seen < UNKNOWN;
}

/** Finds the rows whose dictionary entry has a head that passes. */
export function testHeads(
  codes: Uint32Array,
  headCodes: Uint32Array,
  verdicts: Uint8Array,
  count: number,
  bits: Int32Array,
): void {
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) {
      word |= (verdicts[headCodes[codes[index] as number] as number] as number) << index;
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
