import { Client } from '../queries/client.ts';
import type { QueryCase } from '../queries/query-case.ts';
import { timeInMs } from '../queries/query-race.ts';
import { computePercentiles } from '../statistics.ts';
import type { ClientsResult } from './size-results.ts';

const CLIENTS = 10;

/** The first serial number of these queries, so that the server has cached none of them. */
const FIRST_SERIAL = 1_000;

/** Lets several clients ask all queries at once. Each starts with another one. */
export async function askAtOnce(address: string, secret: string, cases: readonly QueryCase[]): Promise<ClientsResult> {
  const waits = new Map(cases.map(({ name }) => [name, [] as number[]]));
  const failures: Record<string, number> = {};
  const ask = async (number: number) => {
    const client = new Client(address, secret);
    for (let index = 0; index < cases.length; index++) {
      const { name, path, parameters } = cases[(number + index) % cases.length] as QueryCase;
      try {
        const wait = await timeInMs(() => client.query(path, parameters(FIRST_SERIAL + number)));
        waits.get(name)?.push(wait);
      } catch (error) {
        const [status = ''] = (error as Error).message.split(':');
        failures[status] = (failures[status] ?? 0) + 1;
      }
    }
    client.close();
  };
  const milliseconds = await timeInMs(() => Promise.all(Array.from({ length: CLIENTS }, (_, number) => ask(number))));
  const answered = [...waits.values()].reduce((sum, all) => sum + all.length, 0);
  return {
    clients: CLIENTS,
    perSecond: Number(((answered * 1000) / milliseconds).toPrecision(3)),
    queries: [...waits].map(([name, all]) => ({ name, wait: computePercentiles(all) })),
    failures,
  };
}
