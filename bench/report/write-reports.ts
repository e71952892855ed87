import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readResults } from '../results.ts';
import { fillBlocks } from './blocks.ts';
import { readFilterSets } from './filter-sets-block.ts';
import { renderGrowthChart } from './growth-chart.ts';
import { renderMainChart } from './main-chart.ts';
import { renderReport } from './report.ts';

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

/** Writes the chart of the results of filter sets. */
export function writeGrowthChart(name: string): void {
  writeFileSync(new URL(`../results/${name}.svg`, import.meta.url), renderGrowthChart(readFilterSets(name)));
}

/** Updates the measurements in all pages. */
export function writePages(): void {
  for (const path of PAGES) {
    const page = new URL(path, ROOT);
    writeFileSync(page, fillBlocks(readFileSync(page, 'utf8'), path));
  }
}
