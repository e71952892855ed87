import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeLabel, rangeWidth } from '../../src/analytics/ranges.ts';

const numbers = fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e300, max: 1e300 }));

describe('ranges', () => {
  it('are as many as asked for or fewer, but two on both sides of 0', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 1, max: 100 }), (one, other, most) => {
        const [least, greatest] = [Math.min(one, other), Math.max(one, other)];
        const width = rangeWidth(least, greatest, most);
        const [first, last] = [Math.floor(least / width), Math.floor(greatest / width)];
        expect(Number.isFinite(width) && width > 0).toBe(true);
        expect(last - first + 1).toBeLessThanOrEqual(first < 0 && last >= 0 ? Math.max(most, 2) : most);
      }),
      { examples: [[-5e-324, -2, 1]] },
    );
  });

  it('are of width 1 for a number alone', () => {
    expect([rangeWidth(12_345.6, 12_345.6, 12), rangeWidth(0, 0, 1), rangeWidth(-7, -7, 1)]).toEqual([1, 1, 1]);
    expect(rangeLabel(12_345, 1)).toBe('12,345 - 12,346');
  });
});
