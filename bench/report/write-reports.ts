import { readFileSync, writeFileSync } from 'node:fs';
import { readResults } from '../results.ts';
import { mainChart, withResults } from './readme.ts';
import { report } from './report.ts';

const README = new URL('../../README.md', import.meta.url);

/** Writes what is made of kept results: the report and the chart beside them. */
export function writeReports(name: string): void {
  const results = readResults(name);
  writeFileSync(new URL(`../results/${name}.md`, import.meta.url), report(name, results));
  writeFileSync(new URL(`../results/${name}.svg`, import.meta.url), mainChart(results));
}

/** Shows kept results in the README. */
export function showInReadme(name: string): void {
  writeFileSync(README, withResults(readFileSync(README, 'utf8'), name, readResults(name)));
}
