import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readResults } from '../results.ts';
import { fillBlocks } from './blocks.ts';
import { renderMainChart } from './main-chart.ts';
import { renderReport } from './report.ts';

const ROOT = new URL('../../', import.meta.url);

/** The paths of the pages that may show measurements. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(new URL('docs/', ROOT)).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Writes the report and the chart of saved results. */
export function writeReports(name: string): void {
  const results = readResults(name);
  writeFileSync(new URL(`../results/${name}.md`, import.meta.url), renderReport(name, results));
  writeFileSync(new URL(`../results/${name}.svg`, import.meta.url), renderMainChart(results));
}

/** Updates the measurements in all pages. */
export function writePages(): void {
  for (const path of PAGES) {
    const page = new URL(path, ROOT);
    writeFileSync(page, fillBlocks(readFileSync(page, 'utf8'), path));
  }
}
