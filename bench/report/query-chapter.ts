import { QUERY_CASES } from '../queries/query-case.ts';
import { listMeasurements, type Measurement, type Results } from '../results.ts';
import { renderCode } from './fenced.ts';
import { describeOrigins } from './origin-lines.ts';
import { findMeasurement } from './reference.ts';
import { formatNumber, renderMarkdownTable } from './table.ts';

/**
 * Renders the times of queries to the server and of SQL by hand, the times of many clients, and the SQL. Empty without
 * results.
 */
export function renderQueryChapter(results: Results): string[] {
  const measurements = listMeasurements(results);
  const ours = measurements.filter(({ section, engine }) => section === 'queries' && engine === 'onwhere serve');
  if (ours.length === 0) return [];
  const clients = measurements.filter(({ section }) => section === 'clients');
  return [
    '## Queries over 5,000,000 events, ms',
    'Times of the server are from the HTTPS request to the response. The SQL by hand has the same result and runs on a copy of the same DuckDB file, in a process that has it open. Both use all threads. In memory, the engine of commands over files and of the page answers over columns that are already read, on one thread. At the end, the server gets a query again whose result it has cached.',
    ...describeOrigins(results, 'queries'),
    renderMarkdownTable(
      ['', 'by hand', 'onwhere serve', 'ratio', 'ratio of minima', 'cached', 'in memory'],
      ours.map((one) => renderRow(measurements, one)),
    ),
    ...(clients.length === 0 ? [] : renderClients(clients)),
    ...QUERY_CASES.flatMap(({ name, path, parameters }) => {
      const byHand = findMeasurement(measurements, { section: 'queries', case: name, engine: 'by hand' });
      if (byHand?.sql === undefined) return [];
      const request = [path, ...Object.entries(parameters(1)).map(([key, value]) => `${key}=${value}`)].join('\n  ');
      return [`### ${name}`, renderCode('', request), renderCode('sql', byHand.sql)];
    }),
  ];
}

function renderRow(measurements: readonly Measurement[], ours: Measurement): string[] {
  const wallOf = (engine: string) => findMeasurement(measurements, { ...ours, engine })?.metrics?.wall;
  const [own, byHand, again] = ['onwhere serve', 'by hand', 'onwhere serve, asked again'].map(wallOf);
  const inMemory = wallOf('onwhere in memory, one thread');
  if (own === undefined || byHand === undefined || again === undefined)
    return [ours.case, '', ours.failed ?? '', '', '', '', ''];
  const ratio = (metric: 'median' | 'min') => `${formatNumber(own[metric] / byHand[metric])} ×`;
  return [
    ours.case,
    formatNumber(byHand.median),
    formatNumber(own.median),
    ratio('median'),
    ratio('min'),
    formatNumber(again.median),
    inMemory === undefined ? '' : formatNumber(inMemory.median),
  ];
}

function renderClients(clients: readonly Measurement[]): string[] {
  const metrics = ['wall', 'processor', 'longest'];
  const rows = clients.map(({ engine, metrics: found, failed }) => [
    engine,
    ...metrics.map((metric) => (found?.[metric] === undefined ? (failed ?? '') : formatNumber(found[metric].median))),
  ]);
  return [
    `### ${clients[0]?.case}, s`,
    renderMarkdownTable(['', 'total', 'processor time of the server', 'longest wait for a response'], rows),
  ];
}
