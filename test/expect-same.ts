import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/**
 * Expects two values to be strictly equal. In loops over thousands of cases, `expect` and its messages take longer than
 * what they test, so this uses them only for a difference.
 */
export function expectSame(actual: unknown, expected: unknown, describeCase: () => string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, describeCase()).toStrictEqual(expected);
}
