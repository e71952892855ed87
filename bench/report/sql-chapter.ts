import { type Measurement, measurementsOf, type Results } from '../results.ts';
import { SQL_CASES } from '../sql/sql-case.ts';
import { fenced } from './fenced.ts';
import { originLines } from './origin-lines.ts';
import { find } from './reference.ts';
import { markdown, shown } from './table.ts';

/** What databases took for the SQL of a person and for ours, and below it what they were asked; nothing where none was. */
export function sqlChapter(results: Results): string[] {
  const measurements = measurementsOf(results);
  const ours = measurements.filter(({ section, engine }) => section === 'sql' && engine === 'onwhere');
  if (ours.length === 0) return [];
  return [
    '## SQL over 5,000,000 events, ms',
    'A person knows what the events hold; ours has the answers of the language on all others too. Databases run with all threads.',
    ...originLines(results, 'sql'),
    markdown(
      ['', 'by hand', 'onwhere', 'ratio', 'ratio of the least'],
      ours.map((one) => row(one, find(measurements, { ...one, engine: 'by hand' }))),
    ),
    ...SQL_CASES.flatMap(({ name, expression }) => [
      `### ${name}`,
      fenced('', expression),
      ...ours
        .filter(({ case: asked }) => asked.endsWith(`: ${name}`))
        .flatMap((one) => [
          `${one.case}, by hand and onwhere:`,
          `${fenced('sql', find(measurements, { ...one, engine: 'by hand' })?.sql)}\n${fenced('sql', one.sql)}`,
        ]),
    ]),
  ];
}

function row(ours: Measurement, byHand: Measurement | undefined): string[] {
  const [own, theirs] = [ours.metrics?.query, byHand?.metrics?.query];
  if (own === undefined || theirs === undefined) return [ours.case, '', ours.failed ?? '', '', ''];
  const ratio = (metric: 'median' | 'min') => `${shown(own[metric] / theirs[metric])} ×`;
  return [ours.case, shown(theirs.median), shown(own.median), ratio('median'), ratio('min')];
}
