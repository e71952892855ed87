import { expect, it } from 'vitest';
import { Float64Map } from '../../../src/lang/engines/columnar/float64-map.ts';

it('indexes doubles in the order of their first occurrence, with negative zero as 0', () => {
  const index = new Float64Map();
  // Enough for the table to grow until the sign bit of negative zero would change its slot.
  const doubles = Array.from({ length: 100_000 }, (_, place) => (place % 2 === 0 ? place : -1 / place));
  for (const round of [1, 2]) {
    expect(
      doubles.every((double, place) => index.getOrAddIndex(double) === place),
      `round ${round}`,
    ).toBe(true);
  }
  expect([index.getOrAddIndex(-0), index.getOrAddIndex(5e-324)]).toEqual([0, doubles.length]);
});
