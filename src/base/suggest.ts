/** Longer names are unlikely to be typing mistakes, and take long to compare. */
const MAX_NAME_LENGTH = 64;

/**
 * Returns the candidate nearest to a misspelt name. Returns undefined if none is near, or if several are equally near.
 * A candidate that differs only in case is the nearest.
 */
export function suggest(written: string, candidates: Iterable<string>): string | undefined {
  if (written.length > MAX_NAME_LENGTH) return undefined;
  const threshold = Math.max(1, Math.floor(written.length / 3));
  let best: string | undefined;
  let bestDistance = threshold + 1;
  let tied = false;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - written.length) > threshold || !hasSameEnd(written, candidate)) continue;
    const differsInCase = candidate.toLowerCase() === written.toLowerCase();
    const distance = differsInCase ? 0.5 : measureDistance(written.toLowerCase(), candidate.toLowerCase());
    if (distance > bestDistance) continue;
    tied = distance === bestDistance;
    best = candidate;
    bestDistance = distance;
  }
  return tied || bestDistance > threshold ? undefined : best;
}

/** Returns whether two names begin or end alike. Few mistakes change both ends, so this skips most comparisons. */
function hasSameEnd(written: string, candidate: string): boolean {
  const same = (index: number) => written.at(index)?.toLowerCase() === candidate.at(index)?.toLowerCase();
  return same(0) || same(-1);
}

/** Returns the Damerau–Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. */
function measureDistance(from: string, to: string): number {
  // Three rows of the table suffice: the current one, the one above and, for swaps, the one above that.
  let [before, above] = [
    new Uint8Array(to.length + 1),
    Uint8Array.from({ length: to.length + 1 }, (_, column) => column),
  ];
  for (let row = 1; row <= from.length; row++) {
    const current = new Uint8Array(to.length + 1);
    const cell = (cells: Uint8Array, column: number) => cells[column] as number;
    current[0] = row;
    for (let column = 1; column <= to.length; column++) {
      const replaced = cell(above, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        cell(above, column) + 1,
        cell(current, column - 1) + 1,
        replaced,
        swapped ? cell(before, column - 2) + 1 : replaced,
      );
    }
    [before, above] = [above, current];
  }
  return above[to.length] as number;
}
