import { BenchError } from './bench-error.ts';
import { bundle } from './bundle.ts';
import { measureEngines } from './engines-section.ts';
import { measureFiles } from './files/files-section.ts';
import { type Revision, readRevision } from './history.ts';
import { measureImports } from './import-section.ts';
import { type IsSelected, type Options, readOptions } from './options.ts';
import { measureQueries } from './queries/query-section.ts';
import { measureRelations } from './relations/relations-section.ts';
import { compare } from './report/compare.ts';
import { formatCase } from './report/console.ts';
import { writePages, writeReports } from './report/write-reports.ts';
import { addRun, describeMachine, listMeasurements, type Measurement, readResults, writeResults } from './results.ts';
import { measureService } from './service/service-section.ts';
import { measureSql } from './sql/sql-section.ts';

// Compares the engines of this package with filters by hand and with other libraries: see docs/benchmarks.md.

async function* measure({ quick, only }: Options): AsyncGenerator<Measurement[]> {
  const rounds = quick ? 3 : 15;
  const isSelected: IsSelected = (section, name) => `${section}: ${name}`.includes(only);
  yield* measureEngines(rounds, isSelected);
  if (isSelected('import', 'cold import')) yield measureImports(rounds);
  yield* measureRelations(rounds, isSelected);
  yield* measureFiles(quick ? 50_000 : 950_000, quick ? 1 : 3, isSelected);
  yield* measureSql(quick ? 500_000 : 5_000_000, quick ? 3 : 5, isSelected);
  yield* measureService(quick ? 200_000 : 5_000_000, quick ? 1 : 3, isSelected);
  yield* measureQueries(quick ? 200_000 : 5_000_000, quick ? 3 : 7, isSelected);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const { name, only } = options;
  const before = options.compare === undefined ? undefined : listMeasurements(readResults(options.compare));
  const kept = name === undefined || only === '' ? { runs: [] } : readResults(name);
  const revision = name === undefined ? undefined : revisionToKeep(options);
  await bundle();
  const measurements: Measurement[] = [];
  for await (const found of measure(options)) {
    console.log(formatCase(found).join('\n'));
    measurements.push(...found);
  }
  if (before !== undefined) console.log([`\nSince ${options.compare}:`, ...compare(before, measurements)].join('\n  '));
  if (name === undefined || revision === undefined) return;
  writeResults(name, addRun(kept, { ...revision, machine: describeMachine(), measurements }));
  writeReports(name);
  writePages();
  console.log(`\nSaved to bench/results/${name}.json`);
}

/**
 * Returns the revision to store with the results.
 *
 * @throws {BenchError} if there are uncommitted changes and `dirty` is not set, because no commit has the measured
 * code.
 */
function revisionToKeep({ dirty }: Options): Revision {
  const revision = readRevision();
  if (revision.dirty && !dirty) {
    throw new BenchError('Commit your changes first, so that the results name the measured commit, or pass --dirty.');
  }
  return revision;
}

main().catch((error: unknown) => {
  if (!(error instanceof BenchError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
