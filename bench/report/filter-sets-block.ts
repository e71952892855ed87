import { readFileSync } from 'node:fs';
import { BenchError } from '../bench-error.ts';
import { CONTESTANT_NAMES, type FilterSetResults } from '../filter-sets/results.ts';
import { SECTIONS } from '../sections.ts';
import type { Block } from './blocks.ts';
import { renderGrowthChart } from './growth-chart.ts';
import { formatNumber, renderMarkdownTable } from './table.ts';

const CODE = [
  ...SECTIONS.speed.code,
  'src/lang/explain',
  'src/lang/filters',
  'src/api/explain.ts',
  'src/api/filter-set.ts',
];

/** Renders the chart of the time for an event by the number of filters: a line per contestant. */
export function renderFilterSetChart({ sizes }: FilterSetResults): string {
  const names = [...new Set(sizes.flatMap(({ contestants }) => Object.keys(contestants)))];
  const lines = names.map((name) => ({
    name,
    points: sizes.flatMap(({ filters, contestants }) => {
      const time = contestants[name]?.median;
      return time === undefined ? [] : [[filters, time] as const];
    }),
  }));
  return renderGrowthChart('Microseconds to find the filters that match an event, by the number of filters', lines);
}

/** Renders the chart and the tables of filter sets. `root` is the path from the page to the repository. */
export function renderFilterSets(name: string, root: string): Block {
  const { sizes, hard, machine, rounds, ...revision } = readFilterSets(name);
  const formatTime = (time: number | undefined) => (time === undefined ? '' : formatNumber(time));
  const rows = sizes.map(({ filters, contestants }) => {
    const [reference, own] = CONTESTANT_NAMES.map((contestant) => contestants[contestant]?.median);
    const ratio = reference !== undefined && own !== undefined ? `${formatNumber(reference / own)}×` : '';
    const times = CONTESTANT_NAMES.map((contestant) => formatTime(contestants[contestant]?.median));
    return [filters.toLocaleString('en-US'), ...times, ratio];
  });
  const head = ['filters', ...CONTESTANT_NAMES, 'loop ÷ `FilterSet`'];
  // With fewer, what the program itself takes is most of it.
  const memory = sizes
    .filter(({ filters }) => filters >= 10_000)
    .map(({ filters, bytes, add, remove }) => [
      filters.toLocaleString('en-US'),
      formatNumber(bytes),
      formatNumber(add),
      formatNumber(remove),
    ]);
  const [loop, own] = CONTESTANT_NAMES.map((contestant) => hard[contestant]?.median ?? Number.NaN);
  const parts = [
    `![Time per event of each way, by the number of filters](${root}bench/results/${name}.svg)`,
    renderMarkdownTable(head, rows),
    `Microseconds per event. Filters have three clauses, over 200 properties whose frequencies follow Zipf's law: 5 % ranges, 5 % substrings, 5 % negations, and equalities. Events have 30 properties. Empty cells would take too long to measure.`,
    renderMarkdownTable(['filters', 'bytes of a filter', '`add`, µs', '`remove`, µs'], memory),
    `Bytes are those beside the source. With 10,000 filters of negations only, which no key finds, an event takes ${formatTime(own)} µs, and a loop ${formatTime(loop)} µs.`,
    `Measured at ${revision.commit.slice(0, 7)} on ${revision.date}: Node.js ${machine.node} on ${machine.cores} cores, medians of ${rounds} rounds in turns, the answers compared before. \`npm run bench:filter-sets\` measures it again.`,
  ];
  return { text: `\n\n${parts.join('\n\n')}\n\n`, measured: [{ ...revision, code: CODE }] };
}

/** @throws {BenchError} if these are not the results of filter sets. */
export function readFilterSets(name: string): FilterSetResults {
  if (name !== 'filter-sets') throw new BenchError(`The results "${name}" have no filter sets.`);
  return JSON.parse(readFileSync(new URL(`../results/${name}.json`, import.meta.url), 'utf8'));
}
