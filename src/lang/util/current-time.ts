/** What the clock says now, in Unix seconds. */
export function getCurrentTime(): number {
  return Math.floor(Date.now() / 1000);
}
