import { isDeepStrictEqual } from 'node:util';
import type { Measurement } from '../results.ts';
import { summarize } from '../statistics.ts';
import type { HandDatabase } from './hand-database.ts';
import type { QueryCase, QueryClient, Row } from './query-case.ts';

/** The server and the database that compete. */
interface Contestants {
  readonly client: QueryClient;
  readonly byHand: HandDatabase;
}

/** The milliseconds of each run. */
interface Times {
  readonly byHand: readonly number[];
  readonly served: readonly number[];
}

/**
 * Runs a query as SQL by hand and on the server, in turns. Returns undefined if their results differ, which is compared
 * before.
 *
 * @param before runs before each round
 */
export async function timeQuery(
  testCase: QueryCase,
  { client, byHand }: Contestants,
  rounds: number,
  before: () => Promise<void> = async () => undefined,
): Promise<Times | undefined> {
  const sql = testCase.byHand(byHand.column);
  const query = (serial: number) => client.query(testCase.path, testCase.parameters(serial));
  const served = toComparable(testCase.rows(JSON.parse(await query(rounds + 1)) as never));
  if (!isDeepStrictEqual(served, toComparable(await byHand.rows(sql)))) return undefined;
  const times = { byHand: [] as number[], served: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    await before();
    times.byHand.push(await timeInMs(() => byHand.rows(sql)));
    times.served.push(await timeInMs(() => query(round)));
  }
  return times;
}

/**
 * Runs a query as SQL by hand and on the server, in turns, and as SQL and in memory. At the end, the server gets a query
 * again whose result it has cached.
 */
export async function raceQuery(
  testCase: QueryCase,
  { inMemory, ...contestants }: Contestants & { readonly inMemory: QueryClient },
  rounds: number,
): Promise<Measurement[]> {
  const times = await timeQuery(testCase, contestants, rounds);
  const timesInMemory = await timeQuery(testCase, { ...contestants, client: inMemory }, rounds);
  const again: number[] = [];
  const repeat = () => contestants.client.query(testCase.path, testCase.parameters(rounds));
  for (let round = 1; round <= rounds && times !== undefined; round++) again.push(await timeInMs(repeat));
  const measurement = (engine: string, wall: readonly number[] | undefined): Measurement => ({
    section: 'queries',
    case: testCase.name,
    engine,
    ...(wall !== undefined ? { metrics: { wall: summarize(wall) } } : { failed: 'other answer' }),
  });
  return [
    { ...measurement('by hand', times?.byHand), sql: testCase.byHand(contestants.byHand.column) },
    measurement('onwhere serve', times?.served),
    measurement('onwhere serve, asked again', times && again),
    measurement('onwhere in memory, one thread', timesInMemory?.served),
  ];
}

/** Returns the time of some work in milliseconds. */
export async function timeInMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Sorts rows, drops those with a count of 0, and rounds numbers, because sums differ in their last digits by order. */
function toComparable(rows: readonly Row[]): string[] {
  return rows
    .map((row) =>
      row.map((cell) => (['bigint', 'number'].includes(typeof cell) ? Number(Number(cell).toPrecision(12)) : cell)),
    )
    .filter((row) => row.at(-1) !== 0)
    .map((row) => JSON.stringify(row))
    .sort();
}
