/**
 * Returns how many numbers of an addiction query anybody reaches: the most hours or days in which a user was active, in
 * any of the periods and segments; 0 without users. Later numbers are 0.
 */
export function countReached(periods: Iterable<readonly number[]>): number {
  let reached = 0;
  for (const counts of periods) reached = Math.max(reached, counts.findLastIndex((users) => users > 0) + 1);
  return reached;
}
