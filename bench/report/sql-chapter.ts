import { listMeasurements, type Measurement, type Results } from '../results.ts';
import { SQL_CASES } from '../sql/sql-case.ts';
import { renderCode } from './fenced.ts';
import { describeOrigins } from './origin-lines.ts';
import { findMeasurement } from './reference.ts';
import { formatNumber, renderMarkdownTable } from './table.ts';

/** What databases took for the SQL of a person and for ours, and below it what they were asked; nothing where none was. */
export function renderSqlChapter(results: Results): string[] {
  const measurements = listMeasurements(results);
  const ours = measurements.filter(({ section, engine }) => section === 'sql' && engine === 'onwhere');
  if (ours.length === 0) return [];
  return [
    '## SQL over 5,000,000 events, ms',
    'A person knows what the events hold; ours has the answers of the language on all others too. Databases run with all threads.',
    ...describeOrigins(results, 'sql'),
    renderMarkdownTable(
      ['', 'by hand', 'onwhere', 'ratio', 'ratio of the least'],
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
