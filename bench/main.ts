import { isDeepStrictEqual } from 'node:util';
import { BenchError } from './bench-error.ts';
import { bundle } from './bundle.ts';
import { enginesSection } from './engines-section.ts';
import { filesSection } from './files/files-section.ts';
import { importSection } from './import-section.ts';
import { installPeers } from './install-peers.ts';
import { type Options, readOptions, VERSION } from './options.ts';
import { querySection } from './queries/query-section.ts';
import { compare } from './report/compare.ts';
import { caseLines } from './report/console.ts';
import { showInReadme, writeReports } from './report/write-reports.ts';
import { type Measurement, type Results, readResults, thisMachine, writeResults } from './results.ts';
import { serviceSection } from './service/service-section.ts';
import { sqlSection } from './sql/sql-section.ts';

// Compares the engines of this package with filters by hand and with its peers: see README.md, "Speed".

async function* measure({ quick, only }: Options): AsyncGenerator<Measurement[]> {
  const rounds = quick ? 3 : 15;
  yield* enginesSection(rounds, only);
  if ('cold import'.includes(only)) yield importSection(rounds);
  yield* filesSection(quick ? 50_000 : 950_000, quick ? 1 : 3, only);
  yield* sqlSection(quick ? 500_000 : 5_000_000, quick ? 3 : 5, only);
  yield* serviceSection(quick ? 200_000 : 5_000_000, quick ? 1 : 3, only);
  yield* querySection(quick ? 200_000 : 5_000_000, quick ? 3 : 7, only);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const before = options.compare === undefined ? undefined : readResults(options.compare);
  installPeers();
  await bundle();
  const measurements: Measurement[] = [];
  for await (const found of measure(options)) {
    console.log(caseLines(found).join('\n'));
    measurements.push(...found);
  }
  const results: Results = { machine: thisMachine(), measurements };
  if (before !== undefined) console.log([`\nSince ${options.compare}:`, ...compare(before, results)].join('\n  '));
  if (options.name !== undefined) keep(options.name, options.only === '' ? results : among(options.name, results));
}

/** The results that are kept, with those of a run of some cases in their places. */
function among(name: string, { machine, measurements }: Results): Results {
  const isNew = (old: Measurement) => measurements.some((one) => one.section === old.section && one.case === old.case);
  const kept = readResults(name);
  const isElsewhere = !isDeepStrictEqual(kept.machine, machine);
  const added = measurements.map((one) => ({ ...one, ...(isElsewhere && { machine }) }));
  return { machine: kept.machine, measurements: [...kept.measurements.filter((old) => !isNew(old)), ...added] };
}

function keep(name: string, results: Results): void {
  writeResults(name, results);
  writeReports(name);
  if (name === VERSION) showInReadme(name);
  console.log(`\nKept as bench/results/${name}.json`);
}

main().catch((error: unknown) => {
  if (!(error instanceof BenchError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
