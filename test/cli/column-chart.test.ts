import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderColumnChart } from '../../src/cli/terminal/column-chart.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import { Written } from './test-io.ts';

function openTerminal(columns: number): OutputStream {
  return new OutputStream(Object.assign(new Written(), { isTTY: true, columns }), { NO_COLOR: '1' });
}

const FILLED = '▁▂▃▄▅▆▇█';

/** Returns the height of each drawn column in eighths of a line, from the lines between the title and the axis. */
function measureColumns(lines: readonly string[], count: number): number[] {
  const drawn = lines.slice(1, -2).map((line) => line.slice(line.indexOf('│') + 1));
  const axis = lines.at(-2) ?? '';
  const width = (axis.length - axis.indexOf('└') - 1) / count;
  return Array.from({ length: count }, (_, at) =>
    drawn.reduce((sum, line) => sum + FILLED.indexOf(line[at * width] ?? ' ') + 1, 0),
  );
}

describe('renderColumnChart', () => {
  it('draws columns as high as their values, without leaving the terminal', () => {
    const values = fc.array(fc.oneof(fc.nat(1000), fc.double({ min: -1e9, max: 1e9, noNaN: true })), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 80, max: 200 }), (values, columns) => {
        const out = openTerminal(columns);
        const lines = renderColumnChart(out, { title: 'a', labels: values.map(String), values });
        expect(lines).toHaveLength(11);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
        const heights = measureColumns(lines, values.length);
        const max = Math.max(0, ...values);
        for (const [index, value] of values.entries())
          expect(heights[index]).toBe(max === 0 ? 0 : Math.ceil((Math.max(0, value) / max) * 64));
      }),
    );
  });

  it('draws the means of several values if there is no room for all', () => {
    const out = openTerminal(40);
    const values = Array.from({ length: 1000 }, (_, index) => index);
    const lines = renderColumnChart(out, { title: 'rising', labels: values.map(String), values });
    const [, top = ''] = lines;
    expect(lines[0]).toBe('rising');
    expect(top).toMatch(/^999 │ +[▁-█]+$/);
    expect(lines.at(-1)).toMatch(/^ {5}0 +999$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  });
});
