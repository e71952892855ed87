import { parseArgs } from 'node:util';
import { runMain } from '../fuzz/run-main.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { type TestRun, WorkingCopy } from './working-copy.ts';

const USAGE = `npm run mutants -- [words]

Applies each mutant of test/mutants to a copy of the project and runs the test that must fail. With words, only the mutants
whose file, test or description contains one of them.`;

/** Returns why a mutant is not killed, or undefined. */
async function findProblem(copy: WorkingCopy, mutant: Mutant, before: TestRun): Promise<string | undefined> {
  if (before.failed > 0 || before.passed === 0)
    return `its test does not pass without it (${before.passed} passed, ${before.failed} failed)\n${before.output}`;
  const { passed, failed, output } = await copy.runMutant(mutant);
  if (failed > 0) return undefined;
  return passed > 0 ? 'survives' : `its test did not run\n${output}`;
}

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const isWanted = ({ file, test, about }: Mutant) =>
    positionals.length === 0 || positionals.some((word) => [file, test, about].some((text) => text.includes(word)));
  const mutants = MUTANTS.filter(isWanted);
  if (mutants.length === 0) throw new Error('No mutant has these words');
  const copy = new WorkingCopy();
  const before = new Map<string, TestRun>();
  let killed = 0;
  try {
    for (const mutant of mutants) {
      const key = `${mutant.test} ${mutant.name}`;
      const clean = before.get(key) ?? (await copy.runTest(mutant));
      before.set(key, clean);
      const problem = await findProblem(copy, mutant, clean);
      if (problem === undefined) killed++;
      console.log(`${problem === undefined ? 'killed' : 'FAILED'}  ${mutant.file}: ${mutant.about}`);
      if (problem !== undefined) console.log(`        ${mutant.test} ${mutant.name ?? ''}: ${problem}`);
    }
  } finally {
    copy.remove();
  }
  console.log(`${killed} of ${mutants.length} mutants killed`);
  return killed === mutants.length ? 0 : 1;
}

await runMain(main, USAGE);
