import type { Measurement } from '../results.ts';
import { readProcessorSeconds } from '../service/process-usage.ts';
import type { Server } from '../service/server.ts';
import { summarize } from '../statistics.ts';
import { Client } from './client.ts';
import { QUERY_CASES } from './query-case.ts';

const CLIENTS = 10;

/** The name of the case with many clients. */
export const CLIENTS_CASE = 'query: all of them, by ten clients';

/** The first serial number of queries that are not cached. */
const FIRST_SERIAL = 100;

/** Runs every query from each of several clients, first one client after the other and then all at once. */
export async function raceClients(server: Server, secret: string): Promise<Measurement[]> {
  const client = (first: number) => async (number: number) => {
    const waits: number[] = [];
    const connection = new Client(server.address, secret);
    try {
      for (const { path, parameters } of QUERY_CASES) {
        const start = performance.now();
        await connection.query(path, parameters(first + number));
        waits.push((performance.now() - start) / 1000);
      }
    } finally {
      connection.close();
    }
    return Math.max(...waits);
  };
  const numbers = Array.from({ length: CLIENTS }, (_, number) => number);
  return [
    await measureWork(server, 'one after the other', async () => {
      const waits: number[] = [];
      for (const number of numbers) waits.push(await client(FIRST_SERIAL)(number));
      return waits;
    }),
    await measureWork(server, 'all at once', () => Promise.all(numbers.map(client(FIRST_SERIAL + CLIENTS)))),
  ];
}

/** Measures the wall time and processor time of the server for some work, and the longest wait for a response. */
async function measureWork(server: Server, engine: string, work: () => Promise<number[]>): Promise<Measurement> {
  const measurement = { section: 'clients', case: CLIENTS_CASE, engine } as const;
  const [start, processor] = [performance.now(), readProcessorSeconds(server.pid)];
  try {
    const longest = Math.max(...(await work()));
    const metrics = {
      wall: summarize([(performance.now() - start) / 1000]),
      processor: summarize([readProcessorSeconds(server.pid) - processor]),
      longest: summarize([longest]),
    };
    return { ...measurement, metrics };
  } catch (error) {
    return { ...measurement, failed: (error as Error).message };
  }
}
