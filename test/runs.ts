/** Whether to test everything in full: `.ci/run` sets `CI`, as other services do. */
export const IN_FULL = process.env.CI !== undefined;

/** Returns how often to run a random test: `ONWHERE_RUNS` times, or in CI as often as given, and elsewhere a fifth of that. */
export function runs(inFull: number): number {
  return Number(process.env.ONWHERE_RUNS ?? (IN_FULL ? inFull : inFull / 5));
}
