import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TaskThreads } from '../../../src/cli/mcp/task-threads.ts';
import { onwhere, ServerProcess, TestFolder } from '../../end-to-end/server-process.ts';
import { startChild } from '../../spawned.ts';
import { PROGRAM, runProcess } from '../cli-process.ts';
import { testIo } from '../test-io.ts';
import { callTool } from './mcp-client.ts';
import { ShopFiles } from './shop-files.ts';

const FILTER = 'properties["plan"] == "pro"';
const QUESTION = { query: 'segmentation', parameters: { event: 'purchase', where: FILTER, unit: 'month' } };

let shop: ShopFiles;
let expected: object;
beforeAll(() => {
  shop = new ShopFiles(1_000);
  const bought = shop.events.filter(({ event, properties }) => event === 'purchase' && properties.plan === 'pro');
  expected = { '2025-06-01': bought.length };
});
afterAll(() => shop.remove());

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
}

function overStdio(...args: readonly string[]): Transport {
  return new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp', ...args] });
}

/** Starts a server over HTTP and returns its URL. */
async function startHttp(...args: readonly string[]): Promise<URL> {
  const child = startChild(process.execPath, [PROGRAM, 'mcp', '--port', '0', ...args]);
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return new URL(/http:\S+/.exec(line)?.[0] ?? '');
}

/** Uses all tools through a client, and closes it. */
async function useTools(client: Client): Promise<void> {
  expect((await client.listTools()).tools).toHaveLength(7);
  const described = (await callTool(client, 'describe_data')).json;
  expect(described.data.events.length).toBeGreaterThan(3);
  const { json } = await callTool(client, 'run_query', QUESTION);
  expect([json.ran.parameters.where, json.answer.data.values.purchase]).toEqual([FILTER, expected]);
  const wrong = { ...QUESTION, parameters: { ...QUESTION.parameters, where: "plan = 'pro'" } };
  const refused = await callTool(client, 'run_query', wrong);
  expect([refused.isError, refused.json.diagnostics.length, refused.json.answer]).toEqual([true, 2, undefined]);
  expect((await callTool(client, 'repair_filter', { filter: "plan = 'pro'" })).json.certain).toBe(true);
  const sample = (await callTool(client, 'sample_events', { where: FILTER, limit: 3 })).json;
  expect(sample.events.map(({ properties }: { properties: { plan: string } }) => properties.plan)).toEqual([
    'pro',
    'pro',
    'pro',
  ]);
  const misnamed = await callTool(client, 'check_filter', { filter: 'properties["Plan"] == "pro"' });
  expect(misnamed.json.diagnostics[0].fix.text).toBe('properties["plan"]');
  expect((await callTool(client, 'relate_filters', { left: FILTER, right: 'true' })).json.relation).toBe('implies');
  expect((await callTool(client, 'explain_filter', { filter: FILTER })).json.expression).toBe(FILTER);
  await client.close();
}

describe('over files', () => {
  it('all tools answer over standard input and output', async () => {
    await useTools(await connect(overStdio(shop.eventFile)));
  });

  it('all tools answer over HTTP, to several clients', async () => {
    const url = await startHttp(shop.eventFile);
    const clients = await Promise.all(
      [1, 2, 3].map(() => connect(new StreamableHTTPClientTransport(url) as Transport)),
    );
    await Promise.all(clients.map(useTools));
  });

  it('ends when the input ends, and answers what was asked before', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const input = `not JSON\n${JSON.stringify(initialize)}\n`;
    const { code, out, err } = await runProcess(['mcp', shop.eventFile], { input });
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out).result.serverInfo.name).toBe('onwhere');
  });
});

it('all tools answer over a server and over a data folder', async () => {
  const folder = TestFolder.make();
  try {
    const place = ['--project', 'shop', '--data', folder.path];
    const imported = onwhere('import', shop.eventFile, shop.peopleFile, '--dataset', 'orders', ...place);
    expect([imported.stderr, imported.status]).toEqual(['', 0]);
    await useTools(await connect(overStdio(...place)));
    const server = await ServerProcess.startWith(folder);
    const ca = join(folder.path, 'certificate.pem');
    await useTools(await connect(overStdio('--server', server.address, '--secret', folder.secret, '--ca', ca)));
    await server.kill();
  } finally {
    folder.remove();
  }
});

it.each([
  [['no-such-file.ndjson'], 3, 'no-such-file.ndjson'],
  [['-'], 2, 'standard input'],
  [[], 2, 'Name event files'],
  [['--server', 'http://example.com', '--secret', 's'], 2, 'https'],
  [['--server', 'http://127.0.0.1:9', '--secret', 's'], 3, '127.0.0.1:9'],
])('mcp %j does not start', async (args, code, message) => {
  const result = await runProcess(['mcp', ...args]);
  expect([result.code, result.out]).toEqual([code, '']);
  expect(result.err).toContain(message);
});

/** Sends a request and returns its status. */
function send(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '{}',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

it('over HTTP, requests of other sites, other hosts and other sizes are refused', async () => {
  const url = await startHttp(shop.eventFile);
  const accept = 'application/json, text/event-stream';
  const usual = { 'content-type': 'application/json', accept };
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(url.hostname).toBe('127.0.0.1');
  expect(await send(url, 'POST', usual, list)).toBe(200);
  expect(
    await send(url, 'POST', { ...usual, host: `localhost:${url.port}`, origin: `http://localhost:${url.port}` }, list),
  ).toBe(200);
  for (const host of ['evil.example', `evil.example:${url.port}`, '127.0.0.1', `127.0.0.1:${url.port}@evil.example`])
    expect([host, await send(url, 'POST', { ...usual, host }, list)]).toEqual([host, 421]);
  for (const origin of ['https://evil.example', 'null', `https://127.0.0.1:${url.port}`, 'http://127.0.0.1'])
    expect([origin, await send(url, 'POST', { ...usual, origin }, list)]).toEqual([origin, 403]);
  expect(await send(new URL('/', url), 'POST', usual, list)).toBe(404);
  for (const method of ['GET', 'DELETE', 'PUT'])
    expect([method, await send(url, method, usual)]).toEqual([method, 405]);
  expect(await send(url, 'POST', usual, '{')).toBe(400);
  expect(await send(url, 'POST', { accept, 'content-type': 'text/plain' }, list)).toBe(415);
  // The server may close the connection before the client has sent everything.
  const large = await send(url, 'POST', usual, `"${'x'.repeat(2 ** 21)}"`).catch(() => 413);
  expect(large).toBe(413);
  expect(await send(url, 'POST', usual, list)).toBe(200);
});

describe('a task', () => {
  const run = (code: string, seconds: number) => {
    const entry = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    return new TaskThreads(testIo(), { files: [], options: {} }, seconds, entry).run({ kind: 'describe' });
  };

  it('is stopped at its time limit, also in a loop', async () => {
    for (const code of ['for (;;) {}', 'setInterval(() => {}, 1000)'])
      expect((await run(code, 0.2)).failure?.message).toContain('stopped after 0.2 seconds');
  });

  it('fails with its thread', async () => {
    expect((await run('process.exit(7)', 60)).failure?.message).toContain('ended with 7');
    expect((await run('throw new Error("no")', 60)).failure?.message).toContain('no');
  });
});
