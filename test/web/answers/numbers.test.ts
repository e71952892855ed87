import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatChange,
  formatNumber,
  formatPercent,
  formatTick,
  formatTimeSpan,
} from '../../../src/web/answers/numbers.ts';

it('numbers have separators, and an exponent only if they are very large or small', () => {
  expect([1204, 48.256, -3, 1e308, -Number.MAX_VALUE, 2e-7, 0, null].map(formatNumber)).toEqual([
    '1,204',
    '48.26',
    '−3',
    '1e+308',
    '−1.8e+308',
    '2e-7',
    '0',
    'too large',
  ]);
  expect([1200, 12_500, 3_000_000].map(formatTick)).toEqual(['1,200', '12.5K', '3M']);
});

it('a share is 100 % only of all, and 0 % only of none', () => {
  expect(formatPercent(650, 1667)).toBe('39\u00a0%');
  expect(formatPercent(742, 1204, 1)).toBe('61.6\u00a0%');
  expect(formatPercent(0, 0)).toBe('–');
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), fc.nat({ max: 1_000_000 }), (part, rest) => {
      const text = formatPercent(part, part + rest);
      if (part + rest === 0) return;
      expect(/^0(\.0)?\s/.test(text)).toBe(part === 0);
      expect(/^100(\.0)?\s/.test(text)).toBe(rest === 0);
    }),
    {
      examples: [
        [1, 999_999],
        [999_999, 1],
        [3, 997],
        [997, 3],
      ],
    },
  );
});

it('changes have a sign', () => {
  expect(formatChange(1204, 1113)).toBe('+8.2\u00a0%');
  expect(formatChange(98, 100)).toBe('−2\u00a0%');
  expect(formatChange(5, 0)).toBe('new');
  expect(formatChange(0, 0)).toBeUndefined();
  expect(formatChange(undefined, 3)).toBeUndefined();
});

it('durations have their two largest units', () => {
  expect([0.2, 59, 3600, 12_000, 93_600].map(formatTimeSpan)).toEqual([
    'under 1 s',
    '59 s',
    '1 h',
    '3 h 20 min',
    '1 d 2 h',
  ]);
});
