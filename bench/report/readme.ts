import { BenchError } from '../bench-error.ts';
import type { Results } from '../results.ts';
import { chart } from './chart.ts';
import { machineLine } from './machine-line.ts';
import { MAIN_TABLE } from './report.ts';
import { table } from './table.ts';

const SECTION = /(<!-- bench (\S+) -->\n)[\s\S]*(<!-- \/bench -->)/;

/** The name of the results that a README shows. */
export function shownResults(readme: string): string {
  const [, , name] = SECTION.exec(readme) ?? [];
  if (name === undefined)
    throw new BenchError('README.md has no place for results: <!-- bench <name> --> … <!-- /bench -->');
  return name;
}

/** The README with the results of a run between its markers. */
export function withResults(readme: string, name: string, results: Results): string {
  const section = [
    `<!-- bench ${name} -->`,
    `![Nanoseconds per event of each engine on four filters](bench/results/${name}.svg)`,
    table(results.measurements, MAIN_TABLE),
    `Nanoseconds per event. ${machineLine(results.machine)} [All results](bench/results/${name}.md).`,
    '<!-- /bench -->',
  ].join('\n\n');
  return readme.replace(SECTION, () => section);
}

/** The chart that stands above the table. */
export function mainChart({ measurements }: Results): string {
  return chart(measurements, MAIN_TABLE, 'A filter over 100,000 events, nanoseconds per event');
}
