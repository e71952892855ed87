import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServiceEvent } from '../../../src/service/datasets/service-event.ts';
import { WebhookQueue } from '../../../src/service/saved-filters/webhook-queue.ts';
import { collectGarbage } from '../../collect-garbage.ts';
import { eventually } from '../../eventually.ts';

const SECRET = Buffer.from('a secret of twenty-four bytes');
const FAST = { firstDelay: 1, maxDelay: 5 };

interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

let folder: string;
let receiver: http.Server;
let url: string;
/** The requests, and the status of each response; undefined cuts the connection. */
let received: Received[];
let respond: (count: number) => number | undefined;
let reports: ServiceEvent[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-webhooks-'));
  [received, reports, respond] = [[], [], () => 204];
  receiver = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    const status = respond(received.length);
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status, { location: `${url}elsewhere` }).end('not read');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});

afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await rm(folder, { recursive: true });
});

function open(limits: Parameters<typeof WebhookQueue.open>[3] = {}): Promise<WebhookQueue> {
  return WebhookQueue.open(folder, { url, secret: SECRET }, (event) => reports.push(event), { ...FAST, ...limits });
}

/** Returns each notice that was received, once. */
function listNotices(): string[] {
  return [...new Set(received.map(({ body }) => body))].sort();
}

it('signs each request like Standard Webhooks', async () => {
  const queue = await open();
  await queue.add('shop', '{"a":1}');
  await eventually(() => expect(queue.size).toBe(0));
  await queue.close();
  const [{ headers, body }] = received as [Received];
  expect(body).toBe('{"a":1}');
  expect(headers['content-type']).toBe('application/json');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`);
  expect(await readdir(folder)).toEqual([]);
});

it('posts each notice until the receiver takes it, with the same id', async () => {
  respond = (count) => [500, undefined, 301, 204][count % 4];
  const queue = await open();
  const notices = ['1', '2', '3', '4', '5'];
  await Promise.all(notices.map((notice) => queue.add('shop', notice)));
  await eventually(() => expect(queue.size).toBe(0));
  await queue.close();
  expect(listNotices()).toEqual(notices);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(5);
  const failures = reports.map((event) => ('error' in event ? event.error.message : ''));
  expect(failures).toContain('the receiver responded with status 301');
  expect(failures.some((message) => message.startsWith('the request failed: '))).toBe(true);
});

it('keeps notices when it is closed, and posts them when it is opened again', async () => {
  respond = () => 503;
  const first = await open({ firstDelay: 3_600_000, maxDelay: 3_600_000 });
  for (const notice of ['1', '2', '3']) await first.add('shop', notice);
  await eventually(() => expect(reports).toHaveLength(1));
  await first.close();
  // A file whose writing was cut off.
  await writeFile(join(folder, '1.json.tmp'), '{');
  respond = () => 200;
  const second = await open();
  await eventually(() => expect(second.size).toBe(0));
  await second.close();
  expect(listNotices()).toEqual(['1', '2', '3']);
  expect(await readdir(folder)).toEqual([]);
});

it('drops and reports what does not fit, and what is too old', async () => {
  respond = () => 503;
  const waiting = { firstDelay: 3_600_000, maxDelay: 3_600_000 };
  const full = await open({ ...waiting, notices: 4, bytes: 20 });
  await full.add('shop', '123456');
  await full.add('shop', 'too long');
  await full.add('shop', '7');
  await full.add('shop', '8');
  expect(full.size).toBe(2);
  await full.close();
  const dropped = () => reports.filter(({ kind }) => kind === 'webhook dropped');
  expect(dropped()).toHaveLength(2);
  const old = await open({ giveUp: -1 });
  await eventually(() => expect(old.size).toBe(0));
  await old.close();
  expect(dropped()).toHaveLength(4);
});

it('shares its room between projects, which take turns', async () => {
  const blocked = await open({ firstDelay: 3_600_000, maxDelay: 3_600_000, notices: 6 });
  respond = () => 503;
  for (const notice of ['1', '2', '3', '4', '5', '6']) await blocked.add('busy', notice);
  for (const notice of ['a', 'b']) await blocked.add('calm', notice);
  await blocked.close();
  const dropped = reports.flatMap((event) => (event.kind === 'webhook dropped' ? [event.error.message] : []));
  const [busy, calm] = ['busy', 'calm'].map((project) => `too many notices of ${project} wait for the receiver`);
  expect(dropped).toEqual([busy, busy, busy, calm]);
  received = [];
  respond = () => 200;
  const reopened = await open();
  await eventually(() => expect(reopened.size).toBe(0));
  await reopened.close();
  expect(listNotices()).toEqual(['1', '2', '3', 'a']);
  expect(received.findIndex(({ body }) => body === 'a')).toBeLessThan(2);
});

it('gives up an attempt that takes too long', async () => {
  receiver.removeAllListeners('request');
  const queue = await open({ attempt: 200 });
  await queue.add('shop', '1');
  await eventually(() => {
    // A timer that only other garbage refers to would never end the attempt.
    collectGarbage();
    expect(reports).not.toEqual([]);
  });
  await queue.close();
  expect(reports[0]).toMatchObject({ kind: 'webhook failed', error: new Error('no response within 0.2 seconds') });
});
