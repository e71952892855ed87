import { expect, it } from 'vitest';
import { Float64Map } from '../../../src/lang/engines/columnar/float64-map.ts';

it('numbers doubles in the order in which they come first, 0 and negative zero alike', () => {
  const index = new Float64Map();
  // More than fit before it grows to where the sign of zero would tell its place.
  const doubles = Array.from({ length: 100_000 }, (_, place) => (place % 2 === 0 ? place : -1 / place));
  for (const round of [1, 2]) {
    expect(
      doubles.every((double, place) => index.getOrAddIndex(double) === place),
      `round ${round}`,
    ).toBe(true);
  }
  expect([index.getOrAddIndex(-0), index.getOrAddIndex(5e-324)]).toEqual([0, doubles.length]);
});
