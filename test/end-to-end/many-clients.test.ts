import { readFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../../src/data/random.ts';
import { generateShopSample } from '../../src/data/shop-sample.ts';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';

const CLIENTS = 200;
/** The duration, short by default: ONWHERE_SECONDS=600 runs for ten minutes. */
const SECONDS = Number(process.env.ONWHERE_SECONDS ?? 4);
const MAX_MEGABYTES = 1000;
const BATCH = 1000;

const EVENTS = ['view product', 'add to cart', 'purchase'];
const PROPERTIES = ['plan', 'country', 'category', 'amount', 'tags'];

let folder: TestFolder;
let server: ServerProcess;

beforeAll(async () => {
  folder = TestFolder.make();
  server = await ServerProcess.start(folder);
  const client = new Client(folder, server);
  const { version_id: version } = await client.create();
  const { token } = folder;
  const records = [...generateShopSample()].map(({ event, properties }) => ({
    event,
    properties: { ...properties, token },
  }));
  for (let first = 0; first < records.length; first += BATCH) {
    expect(await client.import('events', version, records.slice(first, first + BATCH))).toBe(true);
  }
  await client.setState(version, { readable: true, writable: true });
  await client.untilReady(version);
});

afterAll(async () => {
  await server?.stop();
  folder?.remove();
});

/** Returns the path of a random query, which is rarely in the cache. */
function createQuery(random: Random): string {
  const pick = (options: readonly string[]) => options[random.integer(0, options.length - 1)] ?? '';
  const day = () => `2025-06-0${random.integer(1, 9)}`;
  const dates = { from_date: day(), to_date: `2025-06-${random.integer(10, 30)}` };
  const where = `number(properties["amount"]) > ${random.integer(1, 1000) / 10} or "${random.integer(1, 99)}" in properties["tags"]`;
  const on = `properties["${pick(PROPERTIES)}"]`;
  const event = pick(EVENTS);
  const queries: [path: string, parameters: Record<string, string>][] = [
    ['segmentation/', { event, ...dates, on, where }],
    ['segmentation/', { event, ...dates, type: 'unique', where }],
    ['segmentation/sum/', { event, from_date: dates.to_date, to_date: dates.to_date, on }],
    ['events/', { event: JSON.stringify(EVENTS), unit: 'hour', ...dates }],
    ['events/properties/top/', { event }],
    ['retention/', { born_event: event, ...dates, where, interval_count: '7' }],
    ['retention/addiction/', { ...dates, unit: 'week', addiction_unit: 'day', where }],
    ['engage/', { where }],
  ];
  const [path, parameters] = queries[random.integer(0, queries.length - 1)] ?? ['', {}];
  return `/api/2.0/${path}?${new URLSearchParams(parameters)}`;
}

/** Sends a query and describes the response. Closes the connection after `timeout` milliseconds, if any. */
function sendQuery(agent: Agent, path: string, timeout: number | undefined): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${folder.secret}:`).toString('base64')}`;
  return new Promise((resolve) => {
    const request = send(`${server.address}${path}`, { agent, headers: { authorization } }, (response) => {
      response.resume();
      const { statusCode, headers } = response;
      const outcome =
        statusCode === 503
          ? `503 ${headers['retry-after'] === undefined ? 'without' : 'with'} Retry-After`
          : `${statusCode}`;
      response.on('end', () => resolve(outcome)).on('error', () => resolve('gone'));
    });
    request.on('error', (error) => resolve(timeout === undefined ? error.message : 'gone'));
    request.end();
    if (timeout !== undefined) setTimeout(() => request.destroy(), timeout).unref();
  });
}

/** Returns the resident memory of the server in MB. */
function measureMemory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
}

it.skipIf(process.platform !== 'linux')(
  `the server responds to ${CLIENTS} clients at once or returns 503 with Retry-After, within its memory limit`,
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const end = Date.now() + SECONDS * 1000;
    const outcomes = new Map<string, number>();
    let peak = 0;
    const clients = Array.from({ length: CLIENTS }, async (_, number) => {
      const random = new Random(number + 1);
      while (Date.now() < end) {
        const timeout = random.chance(0.1) ? random.integer(1, 50) : undefined;
        const outcome = await sendQuery(agent, createQuery(random), timeout);
        outcomes.set(outcome, 1 + (outcomes.get(outcome) ?? 0));
        peak = Math.max(peak, measureMemory());
      }
    });
    await Promise.all(clients);
    console.log(
      `${CLIENTS} clients, ${SECONDS} s: ${JSON.stringify(Object.fromEntries(outcomes))}; ${Math.round(peak)} MB at most`,
    );
    expect(server.output.split('\n').filter((line) => line.includes('internal error'))).toEqual([]);
    expect(
      [...outcomes.keys()].filter((outcome) => !['200', '503 with Retry-After', 'gone'].includes(outcome)),
    ).toEqual([]);
    expect(outcomes.get('200')).toBeGreaterThan(0);
    expect(peak).toBeLessThan(MAX_MEGABYTES);
    agent.destroy();
  },
  SECONDS * 1000 + 600_000,
);
