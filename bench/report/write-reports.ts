import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readResults } from '../results.ts';
import { fillBlocks } from './blocks.ts';
import { renderMainChart } from './main-chart.ts';
import { renderReport } from './report.ts';

const ROOT = new URL('../../', import.meta.url);

/** The pages that show measurements, by their paths. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(new URL('docs/', ROOT)).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Writes what is made of kept results: the report and the chart beside them. */
export function writeReports(name: string): void {
  const results = readResults(name);
  writeFileSync(new URL(`../results/${name}.md`, import.meta.url), renderReport(name, results));
  writeFileSync(new URL(`../results/${name}.svg`, import.meta.url), renderMainChart(results));
}

/** Writes the measurements into the pages that show them. */
export function writePages(): void {
  for (const path of PAGES) {
    const page = new URL(path, ROOT);
    writeFileSync(page, fillBlocks(readFileSync(page, 'utf8'), path));
  }
}
