import { vi } from 'vitest';

/**
 * How long to wait, in milliseconds: longer than the slowest machine needs, and shorter than the limit of a test, so
 * that a
 * failure names the condition.
 */
export const PATIENCE_MS = 100_000;

/** Waits until an assertion holds, and returns its result. */
export function eventually<Result>(assertion: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS });
}
