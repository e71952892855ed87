import type { Value } from '../../value.ts';

/** How many letters, at least, are put into one piece of memory. */
const PIECE = 1 << 20;

/**
 * A dictionary with the texts next to each other in memory. Those of parsed records lie among all the other values, so that
 * each row of a column is on another page: fetching that takes longer than a search of the text.
 */
export function compactStrings(dictionary: readonly Value[]): Value[] {
  const compacted = dictionary.slice();
  let [first, length] = [0, 0];
  for (const [index, value] of dictionary.entries()) {
    if (typeof value === 'string') length += value.length;
    if (length < PIECE && index < dictionary.length - 1) continue;
    compactPiece(compacted, first, index + 1);
    [first, length] = [index + 1, 0];
  }
  return compacted;
}

function compactPiece(dictionary: Value[], first: number, end: number): void {
  // The parts of a text share its memory.
  const piece = dictionary
    .slice(first, end)
    .filter((value) => typeof value === 'string')
    .join('');
  let start = 0;
  for (let index = first; index < end; index++) {
    const value = dictionary[index];
    if (typeof value !== 'string') continue;
    dictionary[index] = piece.slice(start, start + value.length);
    start += value.length;
  }
}
