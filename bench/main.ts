import { BenchError } from './bench-error.ts';
import { bundle } from './bundle.ts';
import { enginesSection } from './engines-section.ts';
import { filesSection } from './files/files-section.ts';
import { type Revision, thisRevision } from './history.ts';
import { importSection } from './import-section.ts';
import { installPeers } from './install-peers.ts';
import { type IsAsked, type Options, readOptions } from './options.ts';
import { querySection } from './queries/query-section.ts';
import { compare } from './report/compare.ts';
import { caseLines } from './report/console.ts';
import { writePages, writeReports } from './report/write-reports.ts';
import { type Measurement, measurementsOf, readResults, thisMachine, withRun, writeResults } from './results.ts';
import { serviceSection } from './service/service-section.ts';
import { sqlSection } from './sql/sql-section.ts';

// Compares the engines of this package with filters by hand and with its peers: see docs/benchmarks.md.

async function* measure({ quick, only }: Options): AsyncGenerator<Measurement[]> {
  const rounds = quick ? 3 : 15;
  const isAsked: IsAsked = (section, name) => `${section}: ${name}`.includes(only);
  yield* enginesSection(rounds, isAsked);
  if (isAsked('import', 'cold import')) yield importSection(rounds);
  yield* filesSection(quick ? 50_000 : 950_000, quick ? 1 : 3, isAsked);
  yield* sqlSection(quick ? 500_000 : 5_000_000, quick ? 3 : 5, isAsked);
  yield* serviceSection(quick ? 200_000 : 5_000_000, quick ? 1 : 3, isAsked);
  yield* querySection(quick ? 200_000 : 5_000_000, quick ? 3 : 7, isAsked);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const { name, only } = options;
  const before = options.compare === undefined ? undefined : measurementsOf(readResults(options.compare));
  const kept = name === undefined || only === '' ? { runs: [] } : readResults(name);
  const revision = name === undefined ? undefined : revisionToKeep(options);
  installPeers();
  await bundle();
  const measurements: Measurement[] = [];
  for await (const found of measure(options)) {
    console.log(caseLines(found).join('\n'));
    measurements.push(...found);
  }
  if (before !== undefined) console.log([`\nSince ${options.compare}:`, ...compare(before, measurements)].join('\n  '));
  if (name === undefined || revision === undefined) return;
  writeResults(name, withRun(kept, { ...revision, machine: thisMachine(), measurements }));
  writeReports(name);
  writePages();
  console.log(`\nKept as bench/results/${name}.json`);
}

/**
 * The revision that is kept with the results.
 *
 * @throws {BenchError} if files have uncommitted changes, unless they may have: no commit would have what was measured.
 */
function revisionToKeep({ dirty }: Options): Revision {
  const revision = thisRevision();
  if (revision.dirty && !dirty) {
    throw new BenchError('Commit your changes first, so that the results name what they measured, or pass --dirty.');
  }
  return revision;
}

main().catch((error: unknown) => {
  if (!(error instanceof BenchError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
