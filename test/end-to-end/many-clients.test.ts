import { readFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../../src/data/random.ts';
import { generateShopSample } from '../../src/data/shop-sample.ts';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';

const CLIENTS = 200;
/** The run is short where nobody asks for a long one: ONWHERE_SECONDS=600 takes ten minutes. */
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

/** A question that few have asked before. */
function question(random: Random): string {
  const pick = (texts: readonly string[]) => texts[random.integer(0, texts.length - 1)] ?? '';
  const day = () => `2025-06-0${random.integer(1, 9)}`;
  const dates = { from_date: day(), to_date: `2025-06-${random.integer(10, 30)}` };
  const where = `number(properties["amount"]) > ${random.integer(1, 1000) / 10} or "${random.integer(1, 99)}" in properties["tags"]`;
  const on = `properties["${pick(PROPERTIES)}"]`;
  const event = pick(EVENTS);
  const asked: [path: string, parameters: Record<string, string>][] = [
    ['segmentation/', { event, ...dates, on, where }],
    ['segmentation/', { event, ...dates, type: 'unique', where }],
    ['segmentation/sum/', { event, from_date: dates.to_date, to_date: dates.to_date, on }],
    ['events/', { event: JSON.stringify(EVENTS), unit: 'hour', ...dates }],
    ['events/properties/top/', { event }],
    ['retention/', { born_event: event, ...dates, where, interval_count: '7' }],
    ['retention/addiction/', { ...dates, unit: 'week', addiction_unit: 'day', where }],
    ['engage/', { where }],
  ];
  const [path, parameters] = asked[random.integer(0, asked.length - 1)] ?? ['', {}];
  return `/api/2.0/${path}?${new URLSearchParams(parameters)}`;
}

/** Asks, and answers the status; now and then goes away before the answer. */
function ask(agent: Agent, path: string, patience: number | undefined): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${folder.secret}:`).toString('base64')}`;
  return new Promise((resolve) => {
    const request = send(`${server.address}${path}`, { agent, headers: { authorization } }, (response) => {
      response.resume();
      const { statusCode, headers } = response;
      const told =
        statusCode === 503
          ? `503 ${headers['retry-after'] === undefined ? 'without' : 'with'} Retry-After`
          : `${statusCode}`;
      response.on('end', () => resolve(told)).on('error', () => resolve('gone'));
    });
    request.on('error', (error) => resolve(patience === undefined ? error.message : 'gone'));
    request.end();
    if (patience !== undefined) setTimeout(() => request.destroy(), patience).unref();
  });
}

function megabytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
}

it.skipIf(process.platform !== 'linux')(
  `answers ${CLIENTS} clients at once, or tells them to come back, and stays small`,
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const end = Date.now() + SECONDS * 1000;
    const told = new Map<string, number>();
    let greatest = 0;
    const clients = Array.from({ length: CLIENTS }, async (_, number) => {
      const random = new Random(number + 1);
      while (Date.now() < end) {
        const patience = random.chance(0.1) ? random.integer(1, 50) : undefined;
        const answer = await ask(agent, question(random), patience);
        told.set(answer, 1 + (told.get(answer) ?? 0));
        greatest = Math.max(greatest, megabytes());
      }
    });
    await Promise.all(clients);
    console.log(
      `${CLIENTS} clients, ${SECONDS} s: ${JSON.stringify(Object.fromEntries(told))}; ${Math.round(greatest)} MB at most`,
    );
    expect(server.output.split('\n').filter((line) => line.includes('internal error'))).toEqual([]);
    expect([...told.keys()].filter((answer) => !['200', '503 with Retry-After', 'gone'].includes(answer))).toEqual([]);
    expect(told.get('200')).toBeGreaterThan(0);
    expect(greatest).toBeLessThan(MAX_MEGABYTES);
    agent.destroy();
  },
  SECONDS * 1000 + 600_000,
);
