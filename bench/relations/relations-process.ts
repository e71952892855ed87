import { json } from 'node:stream/consumers';
import { check } from '../../src/api/index.ts';
import { isNever, relate } from '../../src/api/relate.ts';
import type { RelationCase } from './relation-cases.ts';

// Answers the questions of a case several times, and prints the answers with the milliseconds of each in each pass.

/** The answers of a process, and its times by pass and question. */
export interface RelationTimes {
  readonly answers: readonly unknown[];
  /** The first pass, in a process that has answered nothing before. */
  readonly cold: readonly number[];
  readonly warm: readonly number[];
  /** Parsing and checking the same filters, after as many passes. */
  readonly checks: readonly number[];
}

const PASSES_BEFORE = 5;

const { questions } = (await json(process.stdin)) as RelationCase;
const answer = ([left, right]: RelationCase['questions'][number]) =>
  right === undefined ? isNever(left) : relate(left, right);
const checkAll = (sources: RelationCase['questions'][number]) => sources.map((source) => check(source ?? ''));

function time<Result>(run: (question: RelationCase['questions'][number]) => Result): [Result[], number[]] {
  const times: number[] = [];
  const results = questions.map((question) => {
    const start = performance.now();
    const result = run(question);
    times.push(performance.now() - start);
    return result;
  });
  return [results, times];
}

function timeWarm(run: (question: RelationCase['questions'][number]) => unknown): number[] {
  for (let pass = 0; pass < PASSES_BEFORE; pass++) time(run);
  return time(run)[1];
}

const [answers, cold] = time(answer);
const found: RelationTimes = { answers, cold, warm: timeWarm(answer), checks: timeWarm(checkAll) };
process.stdout.write(JSON.stringify(found));
