import type { NumberVector } from './vector.ts';

// The loops that test rows: each sets the bit of every row that passes, among the first `count`. They are alike but for one line:
// shared, that line would be a call, and several times slower. Bits are put together in a register, 32 rows at a time (a shift looks at
// the last five bits of the index alone), and `Number` makes one of a comparison without a branch that could be guessed wrong.

/** What is known of a dictionary's entry before it is judged; then it is 0 or 1. */
const UNKNOWN = 2;

/** A place for the verdicts on the entries of a dictionary. */
export function createVerdicts(dictionary: { readonly length: number }): Uint8Array {
  return new Uint8Array(dictionary.length).fill(UNKNOWN);
}

/** The rows where the left number is less than the right one. */
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

/** The rows where the left number is at most the right one. */
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

/** The rows where both numbers are the same, or where there is neither. */
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

/** The rows whose number is one of a few. */
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

/** The rows whose number is one of a set. */
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

/** The rows whose entry passes; each entry is judged once, when the first row has it. */
export function testEntries(
  codes: Uint32Array,
  verdicts: Uint8Array,
  judge: (code: number) => boolean,
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
        verdict = Number(judge(code));
        verdicts[code] = verdict;
      }
      word |= verdict << index;
    }
    bits[first >> 5] = word;
  }
}

/** The rows whose entry has all bits of a signature. */
export function testSignatures(
  codes: Uint32Array,
  signatures: Int32Array,
  [wanted, wantedToo]: readonly [number, number],
  count: number,
  bits: Int32Array,
): void {
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) {
      const at = (codes[index] as number) * 2;
      const lacking = (~(signatures[at] as number) & wanted) | (~(signatures[at + 1] as number) & wantedToo);
      word |= Number(lacking === 0) << index;
    }
    bits[first >> 5] = word;
  }
}

/** The rows that pass, each judged for itself. */
export function testEach(judge: (index: number) => boolean, count: number, bits: Int32Array): void {
  for (let first = 0; first < count; first += 32) {
    const end = Math.min(first + 32, count);
    let word = 0;
    for (let index = first; index < end; index++) word |= Number(judge(index)) << index;
    bits[first >> 5] = word;
  }
}
