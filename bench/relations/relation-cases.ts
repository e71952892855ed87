import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../src/api/index.ts';
import { SYNTHETIC_CASES } from '../cases/synthetic-cases.ts';
import { varyConstants } from '../dialect.ts';
import { ONWHERE_DIALECT } from '../engines/onwhere.ts';
import { REAL_FOLDER } from '../events/real-events.ts';

/** Questions about filters: of one, whether it is ever true; of two, how they relate. */
export interface RelationCase {
  readonly name: string;
  readonly questions: readonly (readonly [left: string, right?: string])[];
}

export const RELATION_CASES = ['a real filter', 'a pair of real filters', 'a pair with 20 clauses'] as const;

/** The filter with 20 clauses is asked about with so many different constants. */
const VARIANTS = 20;

/** Lists the cases. Those with filters that people wrote have no questions if these are missing. */
export function listRelationCases(): readonly RelationCase[] {
  const real = readRealFilters();
  const twenty = Array.from({ length: VARIANTS + 1 }, (_, serial) => writeTwentyClauses(serial));
  const questions = [real.map((filter) => [filter] as const), pairNeighbors(real), pairNeighbors(twenty)];
  return RELATION_CASES.map((name, index) => ({ name, questions: questions[index] ?? [] }));
}

/** Reads the filters that people wrote. */
function readRealFilters(): readonly string[] {
  const files = ['real-expressions.ndjson', 'real-expressions-2.ndjson'].map((name) => join(REAL_FOLDER, name));
  const lines = files
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
  const sources = new Set(lines.map((line) => (JSON.parse(line) as { readonly expr: string }).expr));
  return [...sources].filter((source) => check(source, { use: 'where' }).ok);
}

function writeTwentyClauses(serial: number): string {
  const found = SYNTHETIC_CASES.find(({ name }) => name === 'P4');
  if (found === undefined) throw new Error('There is no case "P4".');
  return varyConstants(found.filter, serial)(ONWHERE_DIALECT);
}

/** Pairs each filter with the next one, and with itself and the next one joined by `and`. */
function pairNeighbors(filters: readonly string[]): readonly (readonly [string, string])[] {
  return filters.slice(1).flatMap((right, index) => {
    const left = filters[index] as string;
    return [
      [left, right],
      [left, `(${left}) and (${right})`],
    ] as const;
  });
}
