/** Raised by {@link takeSteps}. Callers of {@link limitSteps} turn it into the error that they document. */
export class StepsExceeded extends Error {}

let taken = 0;
let scanSteps = 1;
let limit = Number.POSITIVE_INFINITY;

/**
 * Counts work that has been done, in steps that each take about the same time: a token, a node, a nested part that is
 * compared with another.
 *
 * @param scans How often the work goes through a string or a list.
 * @throws {StepsExceeded} inside {@link limitSteps}, if its limit is exceeded.
 */
export function takeSteps(count: number, scans = 0): void {
  taken += count + scans * scanSteps;
  if (taken > limit) throw new StepsExceeded();
}

/**
 * Runs a synchronous function that may take a number of steps. Inside another limit, the lower one holds.
 *
 * @param scan The steps of a scan: as many as the strings and lists are long.
 */
export function limitSteps<Result>(steps: number, run: () => Result, scan = 1): Result {
  const [outer, outerScan] = [limit, scanSteps];
  limit = Math.min(outer, taken + steps);
  scanSteps = scan;
  try {
    return run();
  } finally {
    limit = outer;
    scanSteps = outerScan;
  }
}

/** Returns the result of a synchronous function, and how many steps it took. */
export function countSteps<Result>(run: () => Result): { readonly result: Result; readonly steps: number } {
  const before = taken;
  const result = run();
  return { result, steps: taken - before };
}
