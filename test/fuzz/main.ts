import { inspect, parseArgs } from 'node:util';
import { isDatetimeCall, walk } from '../../src/lang/ast.ts';
import { print } from '../../src/lang/syntax/print.ts';
import { TIME_ZONES } from '../arbitraries.ts';
import { Difference } from '../difference.ts';
import { WrongResult } from '../lang/engines/sql/sql-comparison.ts';
import { type Case, drawCase } from '../value-first.ts';
import { CHECKS, compareCase } from './checks.ts';
import { addToCorpus } from './corpus.ts';
import { readNumbers } from './read-numbers.ts';
import { drawRelatedCases } from './related-cases.ts';
import { runMain } from './run-main.ts';
import { ServerCheck } from './server-check.ts';
import { shrink } from './shrink.ts';
import type { SlowCheck } from './slow-check.ts';
import { SQL_CHECKS } from './sql-checks.ts';

// Compares engines on random cases: see `USAGE`. Seeds count up by one per case.

const SLOW_CHECKS: Readonly<Record<string, (onlyFilters: boolean) => Promise<SlowCheck | undefined>>> = {
  ...SQL_CHECKS,
  server: ServerCheck.open,
};
const NAMES = [...Object.keys(CHECKS), ...Object.keys(SLOW_CHECKS)];

const USAGE = `npm run fuzz -- [options]

  --minutes <number>   stop after this time (default: never)
  --seed <number>      seed of the first case (default: the time)
  --cases <number>     stop after this number of cases (default: never)
  --records <number>   records of each case (default: 256)
  --engines <names>    engines to compare with the interpreter, separated by commas (default: all that are installed)
                       ${NAMES.join(', ')}
  --relations          draw pairs of filters, check what \`relate\` says about them, and compare the engines on its
                       witnesses. A case is a pair; \`--records\` is ignored

The JavaScript engines share \`answer\` of the rows in src/lang/operators/table.ts. Only databases can find a mistake
there, unless their SQL has it too. Databases take most of the time; with fewer records, more expressions are tested.`;

const PROGRESS_SECONDS = 30;

/** The number of cases per statement of a database. */
const BATCH_SIZE = 8;

/** Draws cases that share a time zone, as the expressions of a statement do. */
function drawBatch(seed: number, count: number, records: number): Case[] {
  const timeZone = TIME_ZONES[Math.floor(seed / BATCH_SIZE) % TIME_ZONES.length];
  return Array.from({ length: count }, (_, index) => {
    const drawn = drawCase(seed + index, records);
    return { ...drawn, records: drawn.records.map((record) => ({ ...record, timeZone })) };
  });
}

/** Draws the batches of some seeds. The cases of a batch share `now`, as a query has only one. */
function drawBatches(seed: number, count: number, { records, relations }: Options): readonly (readonly Case[])[] {
  if (!relations) return [drawBatch(seed, count, records)];
  const related = drawRelatedCases(seed, count);
  const times = new Set(related.map(getTime));
  return Array.from(times, (now) => related.filter((one) => getTime(one) === now));
}

function getTime({ records }: Case): number | undefined {
  return records[0]?.now;
}

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly cases: number;
  readonly records: number;
  /** The engines to compare. Default: all that are installed. */
  readonly engines: readonly string[] | undefined;
  readonly relations: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      cases: { type: 'string', default: 'Infinity' },
      records: { type: 'string', default: '256' },
      engines: { type: 'string' },
      relations: { type: 'boolean', default: false },
    },
  });
  const engines = values.engines?.split(',');
  const unknown = engines?.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown engine: ${unknown}`);
  const { minutes, seed, cases, records, relations } = values;
  return { ...readNumbers({ minutes, seed, cases, records }), engines, relations };
}

/** Compares cases with each engine, and counts the results that agreed by engine. */
class Comparison {
  readonly compared = new Map<string, number>();
  /** The expressions that each slow check compared in a zone other than UTC, and whether they have dates. */
  readonly zoned = new Map<string, Map<string, boolean>>();

  private constructor(
    private readonly checks: readonly string[],
    private readonly slowChecks: ReadonlyMap<string, SlowCheck>,
  ) {}

  /** @throws {Error} if a requested engine is not installed. */
  static async open({ engines, relations }: Pick<Options, 'engines' | 'relations'>): Promise<Comparison> {
    const wanted = engines ?? NAMES;
    const slowChecks = new Map<string, SlowCheck>();
    for (const name of wanted) {
      const check = await SLOW_CHECKS[name]?.(relations);
      if (check !== undefined) slowChecks.set(name, check);
      else if (engines !== undefined && Object.hasOwn(SLOW_CHECKS, name)) throw new Error(`${name} is not installed`);
    }
    const checks = wanted.filter((name) => Object.hasOwn(CHECKS, name));
    return new Comparison(checks, slowChecks);
  }

  get names(): string[] {
    return [...this.checks, ...this.slowChecks.keys()];
  }

  /** Returns the first difference or other error, and the engine that threw it; undefined if all agree. */
  async findFailure(cases: readonly Case[], names: readonly string[] = this.names): Promise<Failure | undefined> {
    for (const name of names) {
      try {
        const slow = this.slowChecks.get(name);
        const count = slow ? await slow.compare(cases) : cases.reduce((sum, one) => sum + compareCase(one, [name]), 0);
        this.compared.set(name, (this.compared.get(name) ?? 0) + count);
        if (slow !== undefined) this.addZoned(name, cases);
      } catch (error) {
        return { name, error };
      }
    }
    return undefined;
  }

  private addZoned(name: string, cases: readonly Case[]): void {
    const zoned = this.zoned.get(name) ?? new Map<string, boolean>();
    this.zoned.set(name, zoned);
    for (const { tree, records } of cases) {
      if (records[0]?.timeZone !== 'UTC') zoned.set(print(tree), [...walk(tree)].some(isDatetimeCall));
    }
  }

  async close(): Promise<void> {
    for (const check of this.slowChecks.values()) await check.close();
  }
}

interface Failure {
  readonly name: string;
  readonly error: unknown;
}

/** Finds a single case that fails like several together: with the record of the wrong result, or with all records. */
async function findFailingCase(
  cases: readonly Case[],
  { error }: Failure,
  fails: (one: Case) => Promise<boolean>,
): Promise<Case | undefined> {
  const records = cases.flatMap((one) => one.records);
  const wrong = error instanceof WrongResult ? error : undefined;
  const suspects = cases.filter(({ tree }) => wrong === undefined || print(tree) === wrong.expression);
  const tried = suspects.flatMap((one) => [
    ...(wrong === undefined ? [] : [{ tree: one.tree, records: [wrong.record] }]),
    one,
    { tree: one.tree, records },
  ]);
  for (const one of tried) if (await fails(one)) return one;
  return undefined;
}

async function report(
  cases: readonly Case[],
  failure: Failure,
  comparison: Comparison,
  { seed, cases: count, records, relations }: Omit<Options, 'minutes' | 'engines'>,
): Promise<void> {
  const { name } = failure;
  // Run only the check that failed. Others may fail on smaller cases for other reasons.
  const findFailure = (one: Case) => comparison.findFailure([one], [name]);
  const fails = async (one: Case) => {
    const other = await findFailure(one);
    return other !== undefined && other.error instanceof Difference === failure.error instanceof Difference;
  };
  const failing = await findFailingCase(cases, failure, fails);
  const smallest = failing && (await shrink(failing, fails));
  const { error } = (smallest && (await findFailure(smallest))) ?? failure;
  console.log(`\n${name}: ${error instanceof Difference ? 'differs from the interpreter' : inspect(error)}`);
  if (error instanceof Difference) {
    if (error.instead !== undefined) console.log(`as          ${error.instead}`);
    console.log(`returns     ${inspect(error.got)}`);
    console.log(`expected    ${inspect(error.expected)}`);
  }
  if (smallest !== undefined) {
    console.log(`expression  ${print(smallest.tree)}`);
    for (const record of smallest.records) console.log(`record      ${inspect(record, { depth: 4 })}`);
  }
  const drawn = relations ? '--relations' : `--records ${records}`;
  const options = `--seed ${seed} --cases ${count} ${drawn} --engines ${name}`;
  console.log(`reproduce   npm run fuzz -- ${options}`);
  const isAdded = smallest !== undefined && addToCorpus(smallest);
  console.log(
    isAdded ? 'Added to test/fuzz/corpus.ndjson' : 'Not added to the corpus, because it cannot be written as JSON',
  );
}

async function main(): Promise<number> {
  const options = readOptions();
  // Type errors are frequent here, and collecting their stacks would take most of the time.
  Error.stackTraceLimit = 0;
  const comparison = await Comparison.open(options);
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  let [cases, reportedAt] = [0, 0];
  const printProgress = () => {
    const counts = [...comparison.compared].map(([name, count]) => `${name} ${count}`);
    const compared = [...comparison.compared.values()].reduce((sum, count) => sum + count, 0);
    const each = Math.round(compared / seconds());
    const next = options.seed + cases;
    console.log(`${cases} cases, ${compared} results compared, ${each} per second, next seed ${next}`);
    console.log(`  ${counts.join(', ')}`);
    for (const [name, zoned] of comparison.zoned) {
      const dated = [...zoned.values()].filter(Boolean).length;
      console.log(`  ${name}: ${zoned.size} different expressions in other zones than UTC, ${dated} with dates`);
    }
  };
  try {
    while (cases < options.cases && seconds() < options.minutes * 60) {
      const seed = options.seed + cases;
      const count = Math.min(BATCH_SIZE, options.cases - cases);
      for (const drawn of drawBatches(seed, count, options)) {
        const failure = await comparison.findFailure(drawn);
        if (failure === undefined) continue;
        printProgress();
        await report(drawn, failure, comparison, { ...options, seed, cases: count });
        return 1;
      }
      cases += count;
      if (seconds() - reportedAt > PROGRESS_SECONDS) {
        reportedAt = seconds();
        printProgress();
      }
    }
    printProgress();
    return 0;
  } finally {
    await comparison.close();
  }
}

await runMain(main, USAGE);
