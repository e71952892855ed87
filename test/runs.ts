/** True if random tests run in full. CI services set `CI`, and so does `.ci/run`. */
export const IN_FULL = process.env.CI !== undefined;

/** Returns the number of runs of a random test: `ONWHERE_RUNS` if set, else `inFull` in CI and a fifth elsewhere. */
export function runs(inFull: number): number {
  return Number(process.env.ONWHERE_RUNS ?? (IN_FULL ? inFull : inFull / 5));
}
