import type { BatchColumn, StringHeads } from '../../plan/batch-column.ts';
import type { Value } from '../../value.ts';
import { compactStrings } from './compact-strings.ts';

/** Matches the head of a string, to its last separator: what follows, such as an id, is often unique. */
const HEAD = /^.*[/?=&#]/s;

/** Heads that fewer entries share are not worth a look-up. */
const MIN_ENTRIES_PER_HEAD = 16;

/** Returns the heads of the strings of a dictionary; none if too few strings share them. */
function findHeads(dictionary: readonly Value[]): StringHeads {
  const codes = new Uint32Array(dictionary.length);
  const codeByHead = new Map<string | undefined, number>([[undefined, 0]]);
  for (const [entry, value] of dictionary.entries()) {
    const head = typeof value === 'string' ? HEAD.exec(value)?.[0] : undefined;
    const code = codeByHead.get(head) ?? codeByHead.size;
    codeByHead.set(head, code);
    codes[entry] = code;
    if (codeByHead.size * MIN_ENTRIES_PER_HEAD > codes.length) return { codes: codes.fill(0), dictionary: [undefined] };
  }
  return { codes, dictionary: [...codeByHead.keys()] };
}

/**
 * Returns a Bloom filter for the tail of each string of a dictionary: the pairs of adjacent characters as 64 bits, in
 * two words. If a tail lacks a pair of the search string, it cannot contain it and need not be searched.
 */
function computeSignatures(dictionary: readonly Value[], heads: StringHeads): Int32Array {
  const signatures = new Int32Array(dictionary.length * 2);
  for (const [entry, value] of dictionary.entries()) {
    const head = heads.dictionary[heads.codes[entry] as number] ?? '';
    // A list may have the search string as an element, so other values always pass.
    if (typeof value === 'string') writeSignature(value.slice(head.length), signatures, entry);
    else signatures.fill(-1, entry * 2, entry * 2 + 2);
  }
  return signatures;
}

/**
 * Returns the signature, as two words, that a tail has if its string contains a search string, but not the head. The last
 * separator of the search string is then the end of the head, because a tail has none.
 */
export function computeTailSignature(searchString: string, { dictionary }: StringHeads): readonly [number, number] {
  const words = new Int32Array(2);
  const part = dictionary.length > 1 ? searchString.replace(HEAD, '') : searchString;
  // With nothing after its separator, it is in the head or nowhere, except for values that always pass.
  if (part === '' && searchString !== '') words.fill(-1);
  else writeSignature(part, words, 0);
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
  const heads = findHeads(dictionary);
  return { ...column, dictionary, heads, signatures: computeSignatures(dictionary, heads) };
}
