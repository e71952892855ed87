import { QUERY_CASES } from '../queries/query-case.ts';
import { type Measurement, measurementsOf, type Results } from '../results.ts';
import { fenced } from './fenced.ts';
import { originLines } from './origin-lines.ts';
import { find } from './reference.ts';
import { markdown, shown } from './table.ts';

/** What the server took for queries beside a person's SQL, then for those of many clients, and below it the SQL; nothing where none was asked. */
export function queryChapter(results: Results): string[] {
  const measurements = measurementsOf(results);
  const ours = measurements.filter(({ section, engine }) => section === 'queries' && engine === 'onwhere serve');
  if (ours.length === 0) return [];
  const clients = measurements.filter(({ section }) => section === 'clients');
  return [
    '## Queries over 5,000,000 events, ms',
    'From the request over HTTPS to the answer, beside SQL that a person writes over a copy of the same DuckDB file and that answers the same, in a process that has it open, with all threads, as the server has. What was just answered is asked again at last.',
    ...originLines(results, 'queries'),
    markdown(
      ['', 'by hand', 'onwhere serve', 'ratio', 'ratio of the least', 'asked again'],
      ours.map((one) => row(measurements, one)),
    ),
    ...(clients.length === 0 ? [] : clientLines(clients)),
    ...QUERY_CASES.flatMap(({ name, path, parameters }) => {
      const byHand = find(measurements, { section: 'queries', case: name, engine: 'by hand' });
      if (byHand?.sql === undefined) return [];
      const request = [path, ...Object.entries(parameters(1)).map(([key, value]) => `${key}=${value}`)].join('\n  ');
      return [`### ${name}`, fenced('', request), fenced('sql', byHand.sql)];
    }),
  ];
}

function row(measurements: readonly Measurement[], ours: Measurement): string[] {
  const wallOf = (engine: string) => find(measurements, { ...ours, engine })?.metrics?.wall;
  const [own, byHand, again] = ['onwhere serve', 'by hand', 'onwhere serve, asked again'].map(wallOf);
  if (own === undefined || byHand === undefined || again === undefined)
    return [ours.case, '', ours.failed ?? '', '', '', ''];
  const ratio = (metric: 'median' | 'min') => `${shown(own[metric] / byHand[metric])} ×`;
  return [ours.case, shown(byHand.median), shown(own.median), ratio('median'), ratio('min'), shown(again.median)];
}

function clientLines(clients: readonly Measurement[]): string[] {
  const metrics = ['wall', 'processor', 'longest'];
  const rows = clients.map(({ engine, metrics: found, failed }) => [
    engine,
    ...metrics.map((metric) => (found?.[metric] === undefined ? (failed ?? '') : shown(found[metric].median))),
  ]);
  return [
    `### ${clients[0]?.case}, s`,
    markdown(['', 'all of it', 'processor time of the server', 'the longest wait for an answer'], rows),
  ];
}
