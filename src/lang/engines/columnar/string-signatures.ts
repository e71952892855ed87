import type { BatchColumn } from '../../plan/batch-column.ts';
import type { Value } from '../../value.ts';
import { compactStrings } from './compact-strings.ts';

/**
 * Returns a Bloom filter for each string of a dictionary: the pairs of adjacent characters as 64 bits, in two words. If
 * a string lacks a pair of the search string, it cannot contain it and need not be searched.
 */
function computeSignatures(dictionary: readonly Value[]): Int32Array {
  const signatures = new Int32Array(dictionary.length * 2);
  for (const [entry, value] of dictionary.entries()) {
    // A list may have the search string as an element, so other values always pass.
    if (typeof value === 'string') writeSignature(value, signatures, entry);
    else signatures.fill(-1, entry * 2, entry * 2 + 2);
  }
  return signatures;
}

/** Returns the signature of one string, as two words. */
export function computeSignature(string: string): readonly [number, number] {
  const words = new Int32Array(2);
  writeSignature(string, words, 0);
  return [words[0] as number, words[1] as number];
}

/** Sets the bit that each pair of characters hashes to. */
function writeSignature(string: string, words: Int32Array, entry: number): void {
  let [first, second] = [0, 0];
  let previous = string.charCodeAt(0);
  for (let index = 1; index < string.length; index++) {
    const character = string.charCodeAt(index);
    const bit = Math.imul((previous << 5) ^ character, 0x9e3779b1) >>> 26;
    if (bit < 32) first |= 1 << bit;
    else second |= 1 << bit;
    previous = character;
  }
  words[entry * 2] = first;
  words[entry * 2 + 1] = second;
}

/** With fewer entries, searching is faster than computing signatures. */
const MIN_ENTRIES = 1000;

/** Returns the column prepared for substring search, if it has many entries, such as URLs. */
export function addSignatures(column: BatchColumn): BatchColumn {
  if (column.dictionary.length < MIN_ENTRIES) return column;
  const dictionary = compactStrings(column.dictionary);
  return { ...column, dictionary, signatures: computeSignatures(dictionary) };
}
