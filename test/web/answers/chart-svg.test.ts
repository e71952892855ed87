import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatChartSvg } from '../../../src/web/answers/chart-svg.ts';
import { codePoint } from '../../code-point.ts';

const COLORS = { surface: '#fff', text: '#000', grid: '#ccc', lines: ['#111', '#222'] };

it('draws a line for each name, up to the number of colours', () => {
  const lines = ['a', 'b', 'c'].map((name) => ({ name, values: [0, 10, null, 5] }));
  const svg = formatChartSvg({ buckets: ['2025-06-01', '2025-06-02', '2025-06-03', '2025-06-04'], lines }, COLORS);
  const drawn = [...svg.matchAll(/<polyline points="([^"]*)"[^>]*stroke="([^"]*)"/g)].map(([, ...found]) => found);
  const points = '80,290 366.7,20 940,155';
  expect(drawn).toEqual([
    [points, '#111'],
    [points, '#222'],
  ]);
  expect(svg.match(/>\d Jun</g)).toHaveLength(4);
});

it('is well-formed for any names and numbers', () => {
  const line = fc.record({
    name: fc.string({ unit: codePoint }),
    values: fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))),
  });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const buckets = lines[0]?.values.map((_, at) => new Date(at * 86_400_000).toISOString().slice(0, 10)) ?? [];
      const svg = formatChartSvg({ buckets, lines }, COLORS);
      const texts = svg.split(/<[^<>]*>/);
      expect(texts.filter((text) => /[<>]|&(?!#\d+;)/.test(text))).toEqual([]);
      expect(svg.trimEnd()).not.toMatch(/[\p{Cc}\p{Cs}\ufffe\uffff]/u);
      expect(svg).not.toContain('NaN');
    }),
    {
      examples: [[[{ name: '', values: [-5e-324] }]], [[{ name: '', values: [-Number.MAX_VALUE, Number.MAX_VALUE] }]]],
    },
  );
});
