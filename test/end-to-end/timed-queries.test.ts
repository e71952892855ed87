import { expect, it } from 'vitest';
import { QUERY_CASES } from '../../bench/queries/query-case.ts';
import { measureQueries } from '../../bench/queries/query-section.ts';
import { renderQueryChapter } from '../../bench/report/query-chapter.ts';
import type { Measurement } from '../../bench/results.ts';

it('the benchmark of queries returns the same results as handwritten SQL', async () => {
  const measurements: Measurement[] = [];
  for await (const found of measureQueries(3_000, 1, () => true)) measurements.push(...found);
  expect(measurements.filter(({ failed }) => failed !== undefined)).toEqual([]);
  const rows = renderQueryChapter({
    runs: [{ commit: '', date: '', machine: { node: '', cpu: '', cores: 1 }, measurements }],
  }).join('\n');
  for (const { name } of QUERY_CASES)
    expect(rows).toMatch(new RegExp(`^\\| ${name} \\| [\\d.]+ \\| [\\d.]+ \\| `, 'm'));
  expect(rows).toContain('\n| all at once | ');
});
