import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { hasPart, SHORT_PART } from '../../src/lang/util/has-part.ts';
import { runs } from '../runs.ts';

/** Long strings that repeat themselves, so that searches begin often and end late. */
const letters = fc.string({ unit: fc.constantFrom('x', 'x', 'x', 'y'), maxLength: 12 });
const repetitive = fc
  .array(fc.tuple(letters, fc.nat({ max: 150 })), { maxLength: 6 })
  .map((parts) => parts.map(([unit, count]) => unit.repeat(count)).join(''));

it('finds what `includes` finds', () => {
  fc.assert(
    fc.property(repetitive, repetitive, fc.nat(), fc.nat(), (whole, other, from, to) => {
      const cut = whole.slice(from % (whole.length + 1)).slice(0, to % (whole.length + 1));
      for (const part of [cut, other, `${cut}y`, `x${cut}`]) expect(hasPart(whole, part)).toBe(whole.includes(part));
    }),
    { numRuns: runs(500) },
  );
});

it('goes through the whole a bounded number of times', () => {
  const whole = 'x'.repeat(20_000);
  const compare = vi.spyOn(String.prototype, 'startsWith');
  try {
    for (const length of [SHORT_PART + 1, 200, 1_000, 10_000]) {
      compare.mockClear();
      expect(hasPart(whole, `${'x'.repeat(length - 1)}y`)).toBe(false);
      expect(compare.mock.calls.length * length).toBeLessThanOrEqual(2 * whole.length + length);
    }
  } finally {
    compare.mockRestore();
  }
});
