/** What the clock says now, in Unix seconds. */
export function currentTime(): number {
  return Math.floor(Date.now() / 1000);
}
