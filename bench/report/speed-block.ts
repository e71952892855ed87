import { BenchError } from '../bench-error.ts';
import { listMeasurements, readResults } from '../results.ts';
import { SECTIONS } from '../sections.ts';
import type { Block } from './blocks.ts';
import { describeOrigins } from './origin-lines.ts';
import { MAIN_TABLE } from './report.ts';
import { renderTable } from './table.ts';

/**
 * Renders the chart and the table of all engines on four filters. `root` is the path from the page to the repository.
 */
export function renderSpeedBlock(name: string, root: string): Block {
  const results = readResults(name);
  const { section, cases } = MAIN_TABLE;
  const parts = [
    `![Nanoseconds per event of each engine on four filters](${root}bench/results/${name}.svg)`,
    renderTable(listMeasurements(results), MAIN_TABLE),
    `Nanoseconds per event. ${describeOrigins(results, section).join(' ')} All results are in \`bench/results/${name}.md\`.`,
  ];
  const runs = results.runs.filter(({ measurements }) =>
    measurements.some((one) => one.section === section && cases.includes(one.case)),
  );
  return {
    text: `\n\n${parts.join('\n\n')}\n\n`,
    measured: runs.map((run) => ({ ...run, code: SECTIONS[section].code })),
  };
}

/** Returns the name of the results whose speed a page shows. */
export function findShownResults(page: string): string {
  const [, name] = /<!-- measured (\S+)\/speed -->/.exec(page) ?? [];
  if (name === undefined) throw new BenchError('The page has no block for results: <!-- measured <results>/speed -->.');
  return name;
}
