import { readFileSync } from 'node:fs';
import { shownResults } from './report/readme.ts';
import { showInReadme, writeReports } from './report/write-reports.ts';

// `npm run generate` writes anew what is made of the results that the README shows.

const name = shownResults(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));
writeReports(name);
showInReadme(name);
