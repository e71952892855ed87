/** Raised by {@link takeSteps}. Callers of {@link limitSteps} turn it into the error that they document. */
export class StepsExceeded extends Error {}

let taken = 0;
let limit = Number.POSITIVE_INFINITY;

/**
 * Counts work that has been done, in steps that each take about the same time: a token, a node, a nested part that is
 * compared with another.
 *
 * @throws {StepsExceeded} inside {@link limitSteps}, if its limit is exceeded.
 */
export function takeSteps(count: number): void {
  taken += count;
  if (taken > limit) throw new StepsExceeded();
}

/** Runs a synchronous function that may take a number of steps. Inside another limit, the lower one holds. */
export function limitSteps<Result>(steps: number, run: () => Result): Result {
  const outer = limit;
  limit = Math.min(outer, taken + steps);
  try {
    return run();
  } finally {
    limit = outer;
  }
}

/** Returns how many steps a synchronous function takes. */
export function countSteps(run: () => unknown): number {
  const before = taken;
  run();
  return taken - before;
}
