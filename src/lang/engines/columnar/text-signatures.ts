import type { BatchColumn } from '../../plan/batch-column.ts';
import type { Value } from '../../value.ts';
import { compactStrings } from './compact-texts.ts';

/**
 * Which pairs of neighbouring letters each text of a dictionary has, as 64 bits in two words (a Bloom filter): a text that lacks a pair
 * of those in another one does not contain that, and need not be searched for it.
 */
function computeSignatures(dictionary: readonly Value[]): Int32Array {
  const signatures = new Int32Array(dictionary.length * 2);
  for (const [entry, value] of dictionary.entries()) {
    // Another value has no letters, but a list may have the text as an element.
    if (typeof value === 'string') sign(value, signatures, entry);
    else signatures.fill(-1, entry * 2, entry * 2 + 2);
  }
  return signatures;
}

/** The signature of one text. */
export function computeSignature(text: string): readonly [number, number] {
  const words = new Int32Array(2);
  sign(text, words, 0);
  return [words[0] as number, words[1] as number];
}

/** Sets the bit that each pair falls on. */
function sign(text: string, words: Int32Array, entry: number): void {
  let [first, second] = [0, 0];
  let before = text.charCodeAt(0);
  for (let index = 1; index < text.length; index++) {
    const letter = text.charCodeAt(index);
    const bit = Math.imul((before << 5) ^ letter, 0x9e3779b1) >>> 26;
    if (bit < 32) first |= 1 << bit;
    else second |= 1 << bit;
    before = letter;
  }
  words[entry * 2] = first;
  words[entry * 2 + 1] = second;
}

/** Fewer entries than this are searched before they could be prepared for it. */
const MIN_ENTRIES = 1000;

/** Prepares a column of many texts, such as URLs, for searches. */
export function addSignatures(column: BatchColumn): BatchColumn {
  if (column.dictionary.length < MIN_ENTRIES) return column;
  const dictionary = compactStrings(column.dictionary);
  return { ...column, dictionary, signatures: computeSignatures(dictionary) };
}
