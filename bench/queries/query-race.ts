import { isDeepStrictEqual } from 'node:util';
import type { Measurement } from '../results.ts';
import { summarize } from '../statistics.ts';
import type { Client } from './client.ts';
import type { HandDatabase } from './hand-database.ts';
import type { QueryCase, Row } from './query-case.ts';

/** The server and the database that compete. */
interface Contestants {
  readonly client: Client;
  readonly byHand: HandDatabase;
}

/**
 * Runs a query as SQL by hand and on the server. Both must return the same, and then take turns. At the end, the server
 * gets
 * a query again whose result it has cached.
 */
export async function raceQuery(
  testCase: QueryCase,
  { client, byHand }: Contestants,
  rounds: number,
): Promise<Measurement[]> {
  const sql = testCase.byHand(byHand.column);
  const query = (serial: number) => client.query(testCase.path, testCase.parameters(serial));
  const served = toComparable(testCase.rows(JSON.parse(await query(rounds + 1)) as never));
  const isSame = isDeepStrictEqual(served, toComparable(await byHand.rows(sql)));
  const times = { byHand: [] as number[], served: [] as number[], again: [] as number[] };
  for (let round = 1; round <= rounds && isSame; round++) {
    times.byHand.push(await timeInMs(() => byHand.rows(sql)));
    times.served.push(await timeInMs(() => query(round)));
  }
  for (let round = 1; round <= rounds && isSame; round++) times.again.push(await timeInMs(() => query(rounds)));
  const measurement = (engine: string, wall: readonly number[]): Measurement => ({
    section: 'queries',
    case: testCase.name,
    engine,
    ...(isSame ? { metrics: { wall: summarize(wall) } } : { failed: 'other answer' }),
  });
  return [
    { ...measurement('by hand', times.byHand), sql },
    measurement('onwhere serve', times.served),
    measurement('onwhere serve, asked again', times.again),
  ];
}

/** Returns the time of some work in milliseconds. */
async function timeInMs(work: () => Promise<unknown>): Promise<number> {
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
