import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readResults } from '../results.ts';
import { readSizes } from '../size/size-results.ts';
import { fillBlocks } from './blocks.ts';
import { readFilterSets, renderFilterSetChart } from './filter-sets-block.ts';
import { renderMainChart } from './main-chart.ts';
import { renderReport } from './report.ts';
import { renderSizeChart } from './size-block.ts';

const ROOT = new URL('../../', import.meta.url);

/** The paths of the pages that may show measurements. */
export const PAGES: readonly string[] = [
  'README.md',
  ...['docs/', 'docs/guide/'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT)).flatMap((name) => (name.endsWith('.md') ? [`${folder}${name}`] : [])),
  ),
];

/** Writes the report and the chart of saved results. */
export function writeReports(name: string): void {
  const results = readResults(name);
  writeFileSync(new URL(`../results/${name}.md`, import.meta.url), renderReport(name, results));
  writeFileSync(new URL(`../results/${name}.svg`, import.meta.url), renderMainChart(results));
}

/** Writes the charts of results by size. */
export function writeGrowthCharts(): void {
  const write = (name: string, chart: string) =>
    writeFileSync(new URL(`../results/${name}.svg`, import.meta.url), chart);
  write('filter-sets', renderFilterSetChart(readFilterSets('filter-sets')));
  write('size', renderSizeChart(readSizes('size')));
}

/** Updates the measurements in all pages. */
export function writePages(): void {
  for (const path of PAGES) {
    const page = new URL(path, ROOT);
    writeFileSync(page, fillBlocks(readFileSync(page, 'utf8'), path));
  }
}
