import fc, { type Arbitrary } from 'fast-check';

/** True if random tests run in full. CI services set `CI`. `.ci/run` sets it for all tests except `npm test`. */
export const IN_FULL = process.env.CI !== undefined;

/** Returns the number of runs of a random test: `ONWHERE_RUNS` if set, else `inFull` in CI and fewer elsewhere. */
export function runs(inFull: number, elsewhere = Math.ceil(inFull / 10)): number {
  return Number(process.env.ONWHERE_RUNS ?? (IN_FULL ? inFull : elsewhere));
}

/**
 * Splits the runs of a random test that also checks which cases it met. These bounds hold for the first half, which has a
 * fixed seed: they depend on the generator and not on chance. The second half draws new cases.
 */
export function splitRuns(numRuns: number): Record<'seeded' | 'fresh', { numRuns: number; seed?: number }> {
  const half = Math.ceil(numRuns / 2);
  return { seeded: { numRuns: half, seed: 1 }, fresh: { numRuns: half } };
}

/** Draws values with the seed of the run. It is new in each run, and the last lines of a run that fails show it. */
export function drawSample<Value>(arbitrary: Arbitrary<Value>, numRuns: number): Value[] {
  return fc.sample(arbitrary, { numRuns, seed: Number(process.env.ONWHERE_SEED) });
}
