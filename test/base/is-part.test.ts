import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPart, SHORT_PART } from '../../src/base/is-part.ts';
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
      for (const part of [cut, other, `${cut}y`, `x${cut}`, `${whole}x`])
        expect(isPart(part, whole)).toBe(whole.includes(part));
    }),
    { numRuns: runs(500) },
  );
});

/** A string that keeps the longest part that it is searched for natively. */
class WatchedString extends String {
  longest = 0;

  override includes(part: string): boolean {
    this.longest = Math.max(this.longest, part.length);
    return super.includes(part);
  }
}

it('leaves only short parts to `includes`', () => {
  for (const length of [SHORT_PART, SHORT_PART + 1, 1_000]) {
    const whole = new WatchedString('x'.repeat(2_000));
    expect(isPart(`${'x'.repeat(length - 1)}y`, whole as unknown as string)).toBe(false);
    expect(whole.longest).toBe(SHORT_PART);
  }
});
