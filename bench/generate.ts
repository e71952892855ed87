import { readFileSync } from 'node:fs';
import { shownResults } from './report/speed-block.ts';
import { writePages, writeReports } from './report/write-reports.ts';

// `npm run generate` writes anew what is made of the results that the README shows.

writeReports(shownResults(readFileSync(new URL('../README.md', import.meta.url), 'utf8')));
writePages();
