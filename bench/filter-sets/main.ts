import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { BenchError } from '../bench-error.ts';
import { readRevision } from '../history.ts';
import { describeMachine } from '../results.ts';
import { type Summary, summarize } from '../statistics.ts';
import { CONTESTANTS, createSet } from './contestants.ts';
import type { FilterSetResults, SizeResult } from './results.ts';
import {
  type BenchEvent,
  type Conjunction,
  drawEvents,
  drawFilters,
  drawHardFilters,
  writeFilter,
} from './workload.ts';

// `npm run bench:filter-sets` measures how long it takes to find the filters that match an event.

const SIZES = [100, 1_000, 10_000, 100_000, 1_000_000];
const ROUNDS = 7;
/** Each round of a contestant takes about as long. */
const ROUND_MS = 300;
const HARD_FILTERS = 10_000;

const revision = readRevision();
const events = drawEvents(1_000);
const sizes: SizeResult[] = [];
for (const filters of SIZES) {
  const contestants = await measure(drawFilters(filters));
  sizes.push({ filters, contestants, ...measureChanges(drawFilters(filters)) });
  console.log(JSON.stringify(sizes.at(-1)));
}
const hard = await measure(drawHardFilters(HARD_FILTERS), ['loop over compileWhere', 'FilterSet']);
console.log(JSON.stringify(hard));
const results: FilterSetResults = { ...revision, machine: describeMachine(), rounds: ROUNDS, sizes, hard };
writeFileSync(new URL('../results/filter-sets.json', import.meta.url), `${JSON.stringify(results, undefined, 2)}\n`);

/** Measures microseconds per event. The contestants take turns, and their answers are compared before. */
async function measure(filters: readonly Conjunction[], names?: readonly string[]): Promise<Record<string, Summary>> {
  const chosen = CONTESTANTS.filter(({ name, maxFilters }) => names?.includes(name) ?? filters.length <= maxFilters);
  const prepared = [];
  for (const { name, prepare } of chosen)
    prepared.push({ name, match: await prepare(filters), samples: [] as number[] });
  const sort = (found: readonly number[]) => found.toSorted((left, right) => left - right);
  const [first] = prepared;
  for (const event of events.slice(0, 5)) {
    const expected = sort((await first?.match(event)) ?? []);
    for (const { name, match } of prepared)
      if (!isDeepStrictEqual(sort(await match(event)), expected)) throw new BenchError(`${name} has other answers.`);
  }
  const paced = [];
  for (const one of prepared) paced.push({ ...one, count: await findPace(one.match) });
  for (let round = 0; round < ROUNDS; round++)
    for (const { match, samples, count } of paced) samples.push(await time(match, count));
  return Object.fromEntries(prepared.map(({ name, samples }) => [name, summarize(samples)]));
}

type Match = Awaited<ReturnType<(typeof CONTESTANTS)[number]['prepare']>>;

/** Returns the number of events that a round takes. */
async function findPace(match: Match): Promise<number> {
  let count = 1;
  while (count < 1e6 && (await time(match, count)) * count < ROUND_MS * 100) count *= 2;
  return count;
}

async function time(match: Match, count: number): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    const found = match(events[index % events.length] as BenchEvent);
    if (found instanceof Promise) await found;
  }
  return ((performance.now() - start) * 1000) / count;
}

/** Measures the memory of a filter, and the time to add and to remove one. */
function measureChanges(filters: readonly Conjunction[]): Pick<SizeResult, 'bytes' | 'add' | 'remove'> {
  const collect = globalThis.gc;
  if (collect === undefined)
    throw new BenchError('Run this with `npm run bench:filter-sets`, which lets it collect garbage.');
  const sources = filters.map(writeFilter);
  // Code that runs for the first time takes memory too.
  createSet(filters.slice(0, 1_000));
  collect();
  const before = process.memoryUsage().heapUsed;
  const set = createSet([]);
  const addStart = performance.now();
  for (const [id, source] of sources.entries()) set.add(id, source);
  const add = ((performance.now() - addStart) * 1000) / sources.length;
  collect();
  const bytes = Math.round((process.memoryUsage().heapUsed - before) / sources.length);
  const removeStart = performance.now();
  for (const id of sources.keys()) set.remove(id);
  return { bytes, add, remove: ((performance.now() - removeStart) * 1000) / sources.length };
}
