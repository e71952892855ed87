import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { Client } from './client.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

const SECRET = randomBytes(32);
const LARGE = { name: 'large', event: 'order', where: 'properties["amount"] > 100' };

let folder: TestFolder;
let server: ServerProcess;
let client: Client;
let receiver: http.Server;
/** The JSON of each request with a valid signature that the receiver took. */
let taken: { readonly id: string; readonly notice: { readonly data: Record<string, unknown> } }[];
let isUp: boolean;

beforeEach(async () => {
  folder = TestFolder.make();
  [taken, isUp] = [[], true];
  receiver = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers;
    const expected = createHmac('sha256', SECRET).update(`${id}.${time}.${body}`).digest('base64');
    const isValid = signature === `v1,${expected}`;
    if (isUp && isValid) taken.push({ id: String(id), notice: JSON.parse(body) });
    response.writeHead(isUp && isValid ? 204 : 500).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  await start();
});

afterEach(async () => {
  await server.kill();
  receiver.closeAllConnections();
  receiver.close();
  folder.remove();
});

async function start(): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  const webhook = ['--webhook', `http://127.0.0.1:${port}/hook`];
  const secret = ['--webhook-secret', `whsec_${SECRET.toString('base64')}`];
  server = await ServerProcess.start(folder, ...webhook, ...secret);
  client = new Client(folder, server);
}

async function ask(method: string, parameters: Record<string, string> = {}) {
  const response = await client.request(method, '/segments', parameters);
  const { data, error } = (await response.json()) as { data?: unknown; error?: string };
  return { status: response.status, data, error };
}

function importAmounts(versionId: string, ...amounts: readonly number[]) {
  const events = amounts.map((amount) => client.event({ distinct_id: `u${amount % 3}`, time: 1_748_779_200, amount }));
  return client.importVerbosely('events', versionId, events);
}

it('an import tells what each saved filter matches, and so do the list and the webhook', async () => {
  const { version_id: versionId } = await client.create();
  expect(await importAmounts(versionId, 1)).toEqual({ error: null, status: 1 });
  expect(await ask('POST', LARGE)).toMatchObject({ status: 200, data: { ...LARGE, events: 0, last_import: null } });
  await ask('POST', { name: 'never', where: 'properties["amount"] < 0' });
  const large = { events: 3, people: 2, failures: 0 };
  expect(await importAmounts(versionId, 99, 101, 102, 104)).toEqual({
    error: null,
    status: 1,
    segments: { large, never: { events: 0, people: 0, failures: 0 } },
  });
  const place = { dataset_id: 'orders', dataset_version: versionId };
  expect((await ask('GET')).data).toMatchObject([
    { ...LARGE, events: 3, last_import: { ...large, ...place } },
    { name: 'never', events: 0, last_import: { events: 0 } },
  ]);
  await eventually(() => expect(taken).toHaveLength(1));
  expect(taken[0]?.notice).toMatchObject({
    type: 'segments.matched',
    data: {
      project: 'shop',
      ...place,
      segments: [{ name: 'large', events: 3, people: 2, distinct_ids: ['u2', 'u0'] }],
    },
  });
  expect(await ask('DELETE', { name: 'large' })).toMatchObject({ status: 200, data: null });
  expect(await ask('DELETE', { name: 'large' })).toMatchObject({ status: 404 });
  expect(onwhere('fsck', '--data', folder.path).stdout).not.toMatch(/segments/);
});

it('a notice that was not delivered is posted again after the server was killed', async () => {
  isUp = false;
  await ask('POST', LARGE);
  const { version_id: versionId } = await client.create();
  for (const amount of [101, 102, 103]) expect((await importAmounts(versionId, amount)).status).toBe(1);
  await server.kill();
  isUp = true;
  await start();
  await eventually(() => expect(new Set(taken.map(({ id }) => id)).size).toBe(3));
  expect((await ask('GET')).data).toMatchObject([{ name: 'large', events: 0 }]);
});
