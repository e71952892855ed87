/** Returns the current time in whole Unix seconds. */
export function getCurrentTime(): number {
  return Math.floor(Date.now() / 1000);
}
