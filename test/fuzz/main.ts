import { inspect, parseArgs } from 'node:util';
import { print } from '../../src/syntax/print.ts';
import { Difference } from '../difference.ts';
import { type Case, drawCase } from '../value-first.ts';
import { CHECKS, compareCase } from './checks.ts';
import { addToCorpus } from './corpus.ts';
import { shrink } from './shrink.ts';

// Compares engines on cases without end, or for some minutes: see `USAGE`. The seed of a case is one more than that of the last.

const USAGE = `npm run fuzz -- [options]

  --minutes <number>   stop after this time (default: never)
  --seed <number>      seed of the first case (default: the time)
  --cases <number>     stop after this number of cases (default: never)
  --records <number>   records of each case (default: 64)
  --engines <names>    what to compare with the interpreter, separated by commas (default: all)
                       ${Object.keys(CHECKS).join(', ')}`;

const PROGRESS_SECONDS = 30;

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly cases: number;
  readonly records: number;
  readonly engines: readonly string[];
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      cases: { type: 'string', default: 'Infinity' },
      records: { type: 'string', default: '256' },
      engines: { type: 'string', default: Object.keys(CHECKS).join(',') },
    },
  });
  const engines = values.engines.split(',');
  const unknown = engines.find((name) => !Object.hasOwn(CHECKS, name));
  if (unknown !== undefined) throw new Error(`There is no engine ${unknown}`);
  const [minutes, seed, cases, records] = [values.minutes, values.seed, values.cases, values.records].map(Number);
  const numbers = { minutes, seed, cases, records } as Record<'minutes' | 'seed' | 'cases' | 'records', number>;
  const wrong = Object.entries(numbers).find(([, number]) => !(number >= 0));
  if (wrong !== undefined) throw new Error(`--${wrong[0]} needs a number`);
  return { ...numbers, engines };
}

/** The error that a case ends with: a difference, or whatever else was thrown. */
function failureOf(tried: Case, engines: readonly string[]): unknown {
  try {
    compareCase(tried, engines);
    return undefined;
  } catch (error) {
    return error;
  }
}

function report(failing: Case, seed: number, { records, engines }: Options): void {
  const first = failureOf(failing, engines);
  // Only the check that failed: others may fail on smaller cases for other reasons.
  const checks = first instanceof Difference ? [first.check] : engines;
  const smallest = shrink(failing, (smaller) => {
    const failure = failureOf(smaller, checks);
    return failure !== undefined && failure instanceof Difference === first instanceof Difference;
  });
  const failure = failureOf(smallest, checks);
  console.log(`\n${failure instanceof Difference ? failure.message : inspect(failure)}`);
  console.log(`expression  ${print(smallest.tree)}`);
  if (failure instanceof Difference) {
    if (failure.instead !== undefined) console.log(`as          ${failure.instead}`);
    console.log(`answers     ${inspect(failure.got)}`);
    console.log(`expected    ${inspect(failure.expected)}`);
  }
  for (const record of smallest.records) console.log(`record      ${inspect(record, { depth: 4 })}`);
  console.log(`reproduce   npm run fuzz -- --seed ${seed} --cases 1 --records ${records} --engines ${checks}`);
  console.log(
    addToCorpus(smallest) ? 'Added to test/fuzz/corpus.ndjson' : 'JSON cannot hold it: not added to the corpus',
  );
}

function main(): number {
  const options = readOptions();
  // Type errors are answers here, and their stacks would take most of the time.
  Error.stackTraceLimit = 0;
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  let compared = 0;
  let [cases, said] = [0, 0];
  const say = () => {
    const each = Math.round(compared / seconds());
    console.log(`${cases} cases, ${compared} answers compared, ${each} per second, next seed ${options.seed + cases}`);
  };
  for (; cases < options.cases && seconds() < options.minutes * 60; cases++) {
    const seed = options.seed + cases;
    const drawn = drawCase(seed, options.records);
    try {
      compared += compareCase(drawn, options.engines);
    } catch {
      say();
      report(drawn, seed, options);
      return 1;
    }
    if (seconds() - said > PROGRESS_SECONDS) {
      said = seconds();
      say();
    }
  }
  say();
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exitCode = 2;
}
