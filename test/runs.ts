/** True if random tests run in full. CI services set `CI`, and so does `.ci/run`. */
export const IN_FULL = process.env.CI !== undefined;

/** Returns the number of runs of a random test: `ONWHERE_RUNS` if set, else `inFull` in CI and fewer elsewhere. */
export function runs(inFull: number, elsewhere = Math.ceil(inFull / 5)): number {
  return Number(process.env.ONWHERE_RUNS ?? (IN_FULL ? inFull : elsewhere));
}
