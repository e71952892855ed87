import type { Value } from '../../value.ts';

/** In characters. */
const MIN_CHUNK_LENGTH = 1 << 20;

/**
 * Returns a dictionary with its strings next to each other in memory. Strings of parsed records lie among all other
 * values, so each row of a column is on another page, and fetching a page takes longer than searching the string.
 */
export function compactStrings(dictionary: readonly Value[]): Value[] {
  const compacted = dictionary.slice();
  let [first, length] = [0, 0];
  for (const [index, value] of dictionary.entries()) {
    if (typeof value === 'string') length += value.length;
    if (length < MIN_CHUNK_LENGTH && index < dictionary.length - 1) continue;
    compactChunk(compacted, first, index + 1);
    [first, length] = [index + 1, 0];
  }
  return compacted;
}

function compactChunk(dictionary: Value[], first: number, end: number): void {
  // V8's slices of a string share its memory.
  const chunk = dictionary
    .slice(first, end)
    .filter((value) => typeof value === 'string')
    .join('');
  let start = 0;
  for (let index = first; index < end; index++) {
    const value = dictionary[index];
    if (typeof value !== 'string') continue;
    dictionary[index] = chunk.slice(start, start + value.length);
    start += value.length;
  }
}
