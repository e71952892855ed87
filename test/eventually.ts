import { vi } from 'vitest';

/** Longer than the slowest machine takes for anything; less than a test may take, so that a failure says what it waited for. */
export const PATIENCE_MS = 100_000;

/** Waits until an assertion holds, and returns what it returns. */
export function eventually<Result>(assertion: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS });
}
