/**
 * The candidate nearest to what was written, if one is near enough to be what was meant and no other is as near.
 * A difference of case alone counts as nearest of all.
 */
export function suggest(written: string, candidates: Iterable<string>): string | undefined {
  const threshold = Math.max(1, Math.floor(written.length / 3));
  let best: string | undefined;
  let bestDistance = threshold + 1;
  let tied = false;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - written.length) > threshold) continue;
    const sameButCase = candidate.toLowerCase() === written.toLowerCase();
    const distance = sameButCase ? 0.5 : editDistance(written.toLowerCase(), candidate.toLowerCase());
    if (distance > bestDistance) continue;
    tied = distance === bestDistance;
    best = candidate;
    bestDistance = distance;
  }
  return tied || bestDistance > threshold ? undefined : best;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let distance = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        distance = Math.min(distance, at(row - 2, column - 2) + 1);
      }
      rows[row]?.push(distance);
    }
  }
  return at(from.length, to.length);
}
