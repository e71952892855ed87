import { listMeasurements, type Measurement, type Results } from '../results.ts';
import { SQL_CASES } from '../sql/sql-case.ts';
import { renderCode } from './fenced.ts';
import { describeOrigins } from './origin-lines.ts';
import { findMeasurement } from './reference.ts';
import { formatNumber, renderMarkdownTable } from './table.ts';

/** Renders the times of databases for SQL by hand and for the SQL of onwhere, and the SQL. Empty without results. */
export function renderSqlChapter(results: Results): string[] {
  const measurements = listMeasurements(results);
  const ours = measurements.filter(({ section, engine }) => section === 'sql' && engine === 'onwhere');
  if (ours.length === 0) return [];
  return [
    '## SQL over 5,000,000 events, ms',
    'SQL by hand relies on the types in these events; the SQL of onwhere is exact for all events. Databases use all threads.',
    ...describeOrigins(results, 'sql'),
    renderMarkdownTable(
      ['', 'by hand', 'onwhere', 'ratio', 'ratio of minima'],
      ours.map((one) => renderRow(one, findMeasurement(measurements, { ...one, engine: 'by hand' }))),
    ),
    ...SQL_CASES.flatMap(({ name, expression }) => [
      `### ${name}`,
      renderCode('', expression),
      ...ours
        .filter((one) => one.case.endsWith(`: ${name}`))
        .flatMap((one) => [
          `${one.case}, by hand and onwhere:`,
          `${renderCode('sql', findMeasurement(measurements, { ...one, engine: 'by hand' })?.sql)}\n${renderCode('sql', one.sql)}`,
        ]),
    ]),
  ];
}

function renderRow(ours: Measurement, byHand: Measurement | undefined): string[] {
  const [own, theirs] = [ours.metrics?.query, byHand?.metrics?.query];
  if (own === undefined || theirs === undefined) return [ours.case, '', ours.failed ?? '', '', ''];
  const ratio = (metric: 'median' | 'min') => `${formatNumber(own[metric] / theirs[metric])} ×`;
  return [ours.case, formatNumber(theirs.median), formatNumber(own.median), ratio('median'), ratio('min')];
}
