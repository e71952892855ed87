import { readFileSync } from 'node:fs';
import { findShownResults } from './report/speed-block.ts';
import { writeGrowthCharts, writePages, writeReports } from './report/write-reports.ts';

// `npm run generate` updates the reports and pages from the results that the documentation shows.

writeReports(findShownResults(readFileSync(new URL('../docs/benchmarks.md', import.meta.url), 'utf8')));
writeGrowthCharts();
writePages();
