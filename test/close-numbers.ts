/** Returns the actual value, with its numbers replaced by those of the expected value if they are close. */
export function withCloseNumbersOf(expected: unknown, got: unknown): unknown {
  if (typeof got === 'number' && typeof expected === 'number') {
    return Math.abs(got - expected) <= 1e-9 * Math.max(1, Math.abs(expected)) ? expected : got;
  }
  if (typeof got !== 'object' || got === null || typeof expected !== 'object' || expected === null) return got;
  const wanted = expected as Readonly<Record<string, unknown>>;
  if (Array.isArray(got)) return got.map((item, index) => withCloseNumbersOf(wanted[index], item));
  return Object.fromEntries(Object.entries(got).map(([key, item]) => [key, withCloseNumbersOf(wanted[key], item)]));
}
