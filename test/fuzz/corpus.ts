import { appendFileSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse } from '../../src/lang/syntax/parse.ts';
import { print } from '../../src/lang/syntax/print.ts';
import type { Properties } from '../../src/lang/value.ts';
import type { Case } from '../value-first.ts';

const FILE = new URL('./corpus.ndjson', import.meta.url);

/** A line of the corpus. */
interface Line {
  readonly expression: string;
  readonly now: number;
  /** Missing for UTC. */
  readonly timeZone?: string;
  readonly records: readonly { readonly properties: Properties; readonly user?: Properties }[];
}

/** Reads the cases that once failed, or that tests once missed, with their expressions. */
export function readCorpus(): (Case & { readonly expression: string })[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map(readLine);
}

function readLine(line: string): Case & { readonly expression: string } {
  const { expression, records, ...query } = JSON.parse(line) as Line;
  return { expression, tree: parse(expression), records: records.map((record) => ({ ...record, ...query })) };
}

/** Adds a case to the corpus. Returns false if its records cannot be written as JSON. */
export function addToCorpus({ tree, records }: Case): boolean {
  const { now = 0, timeZone = 'UTC' } = records[0] ?? {};
  const line: Line = {
    expression: print(tree),
    now,
    ...(timeZone !== 'UTC' && { timeZone }),
    records: records.map(({ properties, user }) => ({ properties, ...(user && { user }) })),
  };
  const text = JSON.stringify(line);
  if (!isDeepStrictEqual(JSON.parse(text), line)) return false;
  appendFileSync(FILE, `${text}\n`);
  return true;
}
