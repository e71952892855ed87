import { readFileSync, writeFileSync } from 'node:fs';
import { BenchError } from '../bench-error.ts';
import type { Revision } from '../history.ts';
import type { Machine } from '../results.ts';
import type { Load } from '../service/loaders.ts';
import type { Percentiles } from '../statistics.ts';

/** The number of rounds of the first page of people. Writing the other pages takes long if there are millions. */
export const PEOPLE_ROUNDS = 5;

/** The times of a query, in milliseconds; both absent if the results differed. */
export interface QueryTimes {
  readonly name: string;
  readonly byHand?: Percentiles;
  readonly served?: Percentiles;
}

/** The result of many clients that ask all queries at once. */
export interface ClientsResult {
  readonly clients: number;
  readonly perSecond: number;
  /** Milliseconds from each request to its response, by query. */
  readonly queries: readonly { readonly name: string; readonly wait: Percentiles }[];
  /** The number of requests that failed, by status. */
  readonly failures: Readonly<Record<string, number>>;
}

/** The measurements of one number of events. */
export interface SizeResult extends Revision {
  readonly machine: Machine & { readonly duckdb: string };
  readonly events: number;
  readonly users: number;
  readonly memoryLimit: string;
  /** The size of the imported file. */
  readonly bytes: number;
  /** Unsorted events are imported only up to some number of events. */
  readonly loads: Readonly<Record<Exclude<LoadName, 'import unsorted'>, Load> & Partial<Record<LoadName, Load>>>;
  readonly rounds: number;
  readonly queries: readonly QueryTimes[];
  readonly clients: ClientsResult;
  /** The peak memory of the server and its database process in MB, after the queries and after the clients. */
  readonly memory: { readonly queries: number; readonly clients: number };
}

export type LoadName = 'json' | 'layout' | 'import' | 'import unsorted';

const NAME = 'size';
const FILE = new URL(`../results/${NAME}.json`, import.meta.url);

/**
 * Reads the results of `npm run bench:size`, the smallest size first.
 *
 * @throws {BenchError} if they have another name
 */
export function readSizes(name: string): readonly SizeResult[] {
  if (name !== NAME) throw new BenchError(`The results "${name}" have no sizes.`);
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Saves the measurements of one number of events and keeps those of others. */
export function saveSize(result: SizeResult): void {
  const others = readSizes(NAME).filter(({ events }) => events !== result.events);
  const sizes = [...others, result].toSorted((left, right) => left.events - right.events);
  writeFileSync(FILE, `${JSON.stringify(sizes, undefined, 2)}\n`);
}
