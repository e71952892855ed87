import { SECTIONS } from '../sections.ts';
import {
  type ClientsResult,
  type LoadName,
  PEOPLE_ROUNDS,
  type QueryTimes,
  readSizes,
  type SizeResult,
} from '../size/size-results.ts';
import type { Percentiles } from '../statistics.ts';
import type { Block } from './blocks.ts';
import { type GrowthLine, renderGrowthChart } from './growth-chart.ts';
import { formatNumber, renderMarkdownTable } from './table.ts';

const CODE = SECTIONS.service.code;

/** The queries in the chart. More lines would cover each other. */
const DRAWN = ['query: funnel', 'query: segmentation'];

/** Renders the chart of imports and queries by the number of events. */
export function renderSizeChart(sizes: readonly SizeResult[]): string {
  const load = (name: string, load: LoadName): GrowthLine => ({
    name,
    points: sizes.flatMap(({ events, loads }) => (loads[load] ? [[events, loads[load].seconds] as const] : [])),
  });
  const query = (name: string, contestant: 'byHand' | 'served'): GrowthLine => ({
    name: `${shorten(name)}${contestant === 'byHand' ? ', by hand' : ''}`,
    points: sizes.flatMap(({ events, queries }) => {
      const times = queries.find((one) => one.name === name)?.[contestant];
      return times === undefined ? [] : [[events, times.p50 / 1000] as const];
    }),
  });
  return renderGrowthChart('Seconds of an import and of queries, by the number of events', [
    load('import', 'import'),
    load('load by hand', 'layout'),
    ...DRAWN.flatMap((name) => [query(name, 'served'), query(name, 'byHand')]),
  ]);
}

/** Renders the chart and the tables by the number of events. `root` is the path from the page to the repository. */
export function renderSizes(name: string, root: string): Block {
  const sizes = readSizes(name);
  const largest = sizes.at(-1);
  const parts =
    largest === undefined
      ? ['There are no results.']
      : [
          `![Seconds of an import and of queries, by the number of events](${root}bench/results/${name}.svg)`,
          renderLoads(sizes),
          `Seconds to load a file of events in the order of their times, the processor seconds beside them, and the peak memory of the process in MB. DuckDB's own load is SQL by hand: into one column of JSON, which is the least work, and into the layout of the store. DuckDB's memory limit is ${largest.memoryLimit} for all. An event has 10 properties.`,
          renderRatios(sizes),
          'Milliseconds from the HTTPS request to the response and, by hand, of SQL with the same answer on a copy of the same file: medians, and their ratio in parentheses. Every answer is compared before the clock runs, and none comes from the cache of answers. Before each first page of `engage`, both have run the query once after a pause, in which the server wrote the other pages.',
          renderLargest(largest.queries),
          `Milliseconds over ${formatCount(largest.events)} events and ${formatCount(largest.users)} people, ${largest.rounds} rounds, ${PEOPLE_ROUNDS} of \`engage\`.`,
          renderClients(sizes),
          `Milliseconds of each query while ${largest.clients.clients} clients ask all of them at once, each beginning with another one. The server runs two queries at a time and queues the others. Memory is the peak of the server and its database process together; the page cache of the system is not limited.`,
          ...sizes.map(describeOrigin),
          '`npm run bench:size -- --events 100000` measures one size again.',
        ];
  return { text: `\n\n${parts.join('\n\n')}\n\n`, measured: sizes.map((size) => ({ ...size, code: CODE })) };
}

function renderLoads(sizes: readonly SizeResult[]): string {
  const names = ['json', 'layout', 'import', 'import unsorted'] as const;
  const rows = sizes.map(({ events, bytes, loads }) => {
    const times = names.map((name) => (loads[name] === undefined ? '' : formatNumber(loads[name].seconds)));
    const { layout, import: own } = loads;
    return [
      formatCount(events),
      formatNumber(bytes / 1e6),
      ...times,
      `${formatNumber(own.seconds / layout.seconds)} ×`,
      `${formatNumber(layout.processor)} / ${formatNumber(own.processor)}`,
      `${formatNumber(layout.memory)} / ${formatNumber(own.memory)}`,
      formatNumber(own.bytes / events),
    ];
  });
  const head = ['events', 'file, MB', 'one column of JSON', 'the same layout', '`onwhere import`', 'unsorted'];
  return renderMarkdownTable(
    [...head, 'import ÷ same layout', 'processor s', 'memory, MB', 'bytes per event on disk'],
    rows,
  );
}

function renderRatios(sizes: readonly SizeResult[]): string {
  const names = sizes.at(-1)?.queries.map(({ name }) => name) ?? [];
  const rows = names.map((name) => [
    shorten(name),
    ...sizes.map(({ queries }) => {
      const times = queries.find((one) => one.name === name);
      if (times?.byHand === undefined || times.served === undefined) return 'other answer';
      const ratio = formatNumber(times.served.p50 / times.byHand.p50);
      return `${formatNumber(times.byHand.p50)} → ${formatNumber(times.served.p50)} (${ratio} ×)`;
    }),
  ]);
  return renderMarkdownTable(['by hand → served', ...sizes.map(({ events }) => formatCount(events))], rows);
}

function renderLargest(queries: readonly QueryTimes[]): string {
  const cells = (times: Percentiles | undefined) =>
    times === undefined ? ['other answer', ''] : [formatNumber(times.p50), formatNumber(times.p95)];
  const rows = queries.map(({ name, byHand, served }) => [
    shorten(name),
    ...cells(byHand),
    ...cells(served),
    byHand === undefined || served === undefined ? '' : `${formatNumber(served.p95 / byHand.p95)} ×`,
  ]);
  return renderMarkdownTable(['', 'by hand, p50', 'p95', 'served, p50', 'p95', 'ratio of p95'], rows);
}

function renderClients(sizes: readonly SizeResult[]): string {
  const names = sizes.at(-1)?.queries.map(({ name }) => name) ?? [];
  const waits = names.map((name) => [
    shorten(name),
    ...sizes.map(({ clients }) => {
      const wait = clients.queries.find((one) => one.name === name)?.wait;
      return wait === undefined ? '' : `${formatNumber(wait.p50)} / ${formatNumber(wait.p95)}`;
    }),
  ]);
  const rows = [
    ...waits,
    ['queries per second', ...sizes.map(({ clients }) => formatNumber(clients.perSecond))],
    ['failed', ...sizes.map(({ clients }) => describeFailures(clients))],
    ['memory, MB', ...sizes.map(({ memory }) => formatNumber(memory.clients))],
  ];
  return renderMarkdownTable(['p50 / p95', ...sizes.map(({ events }) => formatCount(events))], rows);
}

function describeFailures({ failures }: ClientsResult): string {
  const found = Object.entries(failures);
  return found.length === 0 ? 'none' : found.map(([status, count]) => `${count} with ${status}`).join(', ');
}

function describeOrigin({ events, commit, date, machine }: SizeResult): string {
  return `${formatCount(events)} events: measured at ${commit.slice(0, 7)} on ${date} with Node.js ${machine.node} and DuckDB ${machine.duckdb} on ${machine.cores} cores of ${machine.cpu}.`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

function shorten(name: string): string {
  return name.replace('query: ', '');
}
