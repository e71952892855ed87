import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';

const DATES = { from_date: '2025-06-01', to_date: '2025-06-02' };
const TIME = Date.UTC(2025, 5, 1) / 1000;

let folder: TestFolder;
let server: ServerProcess;
let client: Client;

beforeAll(async () => {
  folder = TestFolder.make();
  server = await ServerProcess.start(folder);
  client = new Client(folder, server);
  const { version_id: version } = await client.create();
  const orders = Array.from({ length: 20 }, (_, index) => {
    const rare = index === 0 ? { rare: 'once' } : {};
    return client.event({
      distinct_id: `u${index % 5}`,
      time: TIME + index,
      plan: index % 4 ? 'free' : 'pro',
      ...rare,
    });
  });
  await client.import('events', version, orders);
  await client.import('people', version, [client.person('u0', { $set: { city: 'Oslo' } })]);
  await client.setState(version, { readable: true, writable: true });
  await client.untilReady(version);
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  folder.remove();
});

async function ask(path: string, parameters: Record<string, string>): Promise<string> {
  const response = await client.request('GET', `/api/2.0${path}`, parameters);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return text;
}

it.each<[path: string, parameters: Record<string, string>, warnings: readonly string[]]>([
  ['/segmentation', { event: 'order', where: 'properties["plan"] == "pro"', on: 'properties["rare"]' }, []],
  ['/segmentation', { event: 'order', where: 'properties["time"] > 1 and user["city"] in ["Oslo"]' }, []],
  ['/segmentation', { event: 'ordr' }, ['No event is called "ordr". Did you mean "order" (20)?']],
  [
    '/segmentation',
    { event: 'order', where: 'properties["rar"] == "x"' },
    ['No record has the property "rar". Did you mean "rare" (1 record)?'],
  ],
  [
    '/segmentation',
    { event: 'order', where: 'properties["plan"] in ["pro", "fre"]', on: 'user["cty"]' },
    [
      '"fre" never occurs in properties["plan"]. Did you mean "free" (15)?',
      'No record has the user property "cty". Did you mean "city" (1 record)?',
    ],
  ],
  [
    '/events',
    { event: '["order","other"]', unit: 'day' },
    ['No event is called "other". Events include "order" (20).'],
  ],
  [
    '/events/properties',
    { event: 'order', name: 'pln', unit: 'day' },
    ['No record has the property "pln". Did you mean "plan" (20 records)?'],
  ],
  [
    '/segmentation/sum',
    { event: 'order', on: 'number(properties["plna"])' },
    ['No record has the property "plna". Did you mean "plan" (20 records)?'],
  ],
  [
    '/retention',
    { born_event: 'odrer', event: 'order', born_where: 'properties["rare"] == "twice"' },
    [
      'No event is called "odrer". Did you mean "order" (20)?',
      '"twice" never occurs in properties["rare"]. Its values include "once" (1).',
    ],
  ],
  [
    '/segmentation',
    { event: 'order', where: 'properties["plan"] == "pro" and properties["plan"] == "free"' },
    [
      'In properties["plan"] == "pro" and properties["plan"] == "free": ' +
        'This is never true: `properties["plan"]` cannot be "pro" and "free".',
    ],
  ],
  ['/retention/addiction', { event: 'ordr', unit: 'day' }, ['No event is called "ordr". Did you mean "order" (20)?']],
])('%s of %j warns of names that no record has', async (path, parameters, warnings) => {
  const request = { ...DATES, ...parameters };
  const plain = await ask(path, request);
  const verbose = await ask(path, { ...request, verbose: '1' });
  expect(verbose).toBe(`${plain.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`);
  expect(await ask(path, { ...request, verbose: '0' })).toBe(plain);
});

it('warns of properties that no person has', async () => {
  const parameters = { where: 'properties["citi"] == "Oslo" or user["city"] == "x"', verbose: '1' };
  const { session_id: _, ...answer } = JSON.parse(await ask('/engage', parameters));
  const warnings = ['No record has the property "citi". Did you mean "city" (1 record)?'];
  expect(answer).toEqual({ page: 0, page_size: 1000, results: [], status: 'ok', total: 0, warnings });
  expect(JSON.parse(await ask('/engage', { ...parameters, verbose: '' }))).not.toHaveProperty('warnings');
});

it('adds nothing to CSV, and refuses another value', async () => {
  const parameters = { ...DATES, event: '["ordr"]', format: 'csv' };
  expect(await ask('/events', { ...parameters, verbose: '1' })).toBe(await ask('/events', parameters));
  const response = await client.request('GET', '/api/2.0/events', { ...parameters, verbose: 'yes' });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Expected `1` or `0`.')]);
});

it('tells of names once they occur', async () => {
  const request = { ...DATES, event: 'later', verbose: '1' };
  expect(JSON.parse(await ask('/segmentation', request)).warnings).toHaveLength(1);
  const { version_id: version } = (await client.list())[0] ?? { version_id: '' };
  const later = { ...client.event({ distinct_id: 'u1', time: TIME }), event: 'later' };
  await client.import('events', version, [later]);
  await expect.poll(async () => JSON.parse(await ask('/segmentation', request)).warnings).toEqual([]);
});
