/** A share as people read it, in at most four characters: `9.4%`, `42%`; only all of something is `100%`. */
export function formatPercent(share: number): string {
  const percents = share * 100;
  if (percents > 0 && percents < 9.95) return `${percents.toFixed(1)}%`;
  return `${share < 1 ? Math.min(99, Math.round(percents)) : Math.round(percents)}%`;
}
