import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { compileWhere } from '../../src/api/index.ts';
import { isNever, type Relation, relate, type Witness } from '../../src/api/relate.ts';
import { BenchError } from '../bench-error.ts';
import type { IsSelected } from '../options.ts';
import type { Measurement } from '../results.ts';
import { computePercentiles, summarize } from '../statistics.ts';
import { listRelationCases, type RelationCase } from './relation-cases.ts';
import type { RelationTimes } from './relations-process.ts';

const PROCESS = fileURLToPath(new URL('../.build/relations/relations-process.js', import.meta.url));

/** The times of a process by engine. */
const ENGINES = {
  'parse and check': 'checks',
  'onwhere, warm': 'warm',
  'onwhere, new process': 'cold',
} as const;

/** Measures how many milliseconds it takes to answer questions about filters. Each round is a new process. */
export function* measureRelations(rounds: number, isSelected: IsSelected): Generator<Measurement[]> {
  for (const one of listRelationCases()) {
    if (one.questions.length > 0 && isSelected('relations', one.name)) yield measureCase(one, rounds);
  }
}

function measureCase(one: RelationCase, rounds: number): Measurement[] {
  const expected: unknown = JSON.parse(JSON.stringify(one.questions.map(answerChecked)));
  const times = Array.from({ length: rounds }, () => {
    const found = runProcess(one);
    if (!isDeepStrictEqual(found.answers, expected)) throw new BenchError(`${one.name}: the answers differ.`);
    return found;
  });
  return Object.entries(ENGINES).map(([engine, pass]) => {
    const percentiles = times.map((found) => computePercentiles(found[pass]));
    return {
      section: 'relations',
      case: one.name,
      engine,
      metrics: {
        p50: summarize(percentiles.map(({ p50 }) => p50)),
        p95: summarize(percentiles.map(({ p95 }) => p95)),
      },
    };
  });
}

/**
 * Answers a question, and evaluates the filters on the witnesses.
 *
 * @throws {BenchError} if a witness does not show what it should.
 */
function answerChecked([left, right]: RelationCase['questions'][number]): unknown {
  if (right === undefined) {
    const verdict = isNever(left);
    if (verdict.witness !== undefined && !selects(left, verdict.witness)) throw new BenchError(`${left}: no witness`);
    return verdict;
  }
  const found = relate(left, right);
  const shown = { both: [true, true], onlyLeft: [true, false], onlyRight: [false, true] } as const;
  for (const [name, [ofLeft, ofRight]] of Object.entries(shown)) {
    const witness = found[name as keyof Relation] as Witness | undefined;
    if (witness !== undefined && (selects(left, witness) !== ofLeft || selects(right, witness) !== ofRight))
      throw new BenchError(`${left} and ${right}: a wrong ${name}`);
  }
  return found;
}

/** Returns whether a filter selects a record. It does not if it raises a type error. */
function selects(filter: string, { properties, user, now = 0 }: Witness): boolean {
  const where = compileWhere(filter, { now });
  try {
    return where(properties, user);
  } catch {
    return false;
  }
}

function runProcess(one: RelationCase): RelationTimes {
  const { stdout, stderr } = spawnSync(process.execPath, [PROCESS], { input: JSON.stringify(one), encoding: 'utf8' });
  if (stdout === '') throw new BenchError(`${one.name}: ${stderr}`);
  return JSON.parse(stdout);
}
