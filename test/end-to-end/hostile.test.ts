import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';

/** The maximum memory of the server in MB, for any input. */
const MAX_MEMORY = 900;

const OPEN = { readable: true, writable: true };

let folder: TestFolder;
let server: ServerProcess;
let client: Client;

beforeAll(async () => {
  folder = TestFolder.make();
  server = await ServerProcess.start(folder);
  client = new Client(folder, server);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  expect(server.output).not.toMatch(/^\s+at |TypeError|UnhandledPromise/m);
  expect(server.output).not.toContain(folder.secret);
  folder.remove();
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request without normalizing its path. */
function send(
  method: string,
  path: string,
  { body, headers = {} }: { body?: string | Buffer; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${folder.secret}:`).toString('base64')}`;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      server.address,
      { method, path, headers: { authorization, ...headers } },
      (response) => {
        let content = '';
        response.on('data', (chunk) => (content += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: content }));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function importBytes(versionId: string, bytes: Buffer): Promise<Answer> {
  const parameters = { dataset_id: 'orders', dataset_version: versionId, verbose: '1', data: bytes.toString('base64') };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return send('POST', '/import-events', { body: new URLSearchParams(parameters).toString(), headers });
}

function isHealthy(): Promise<boolean> {
  return fetch(`${server.address}/healthz`).then(({ ok }) => ok);
}

/** Returns the peak memory of the server in MB, on Linux. */
function measurePeakMemory(): number {
  const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
}

async function waitForFlush(versionId: string): Promise<void> {
  await client.setState(versionId, OPEN);
  await client.untilReady(versionId);
}

describe('records', () => {
  it('may have 10,000 keys', async () => {
    const { version_id: version } = await client.create();
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, index]));
    const records = [1, 2, 3].map((time) => client.event({ distinct_id: 'a', time, ...keys }));
    expect(await client.importVerbosely('events', version, records)).toEqual({ error: null, status: 1 });
    await waitForFlush(version);
  });

  it('are refused with a reason if they nest too deeply or are not UTF-8', async () => {
    const { version_id: version } = await client.create();
    const deep = (depth: number) =>
      `{"event":"a","properties":{"token":"${folder.token}","distinct_id":"a","time":1,"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    for (const bytes of [
      Buffer.from(deep(100_000)),
      Buffer.from(deep(1_000)),
      Buffer.from('['.repeat(100_000)),
      Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]),
      Buffer.from(deep(1).replace('"a"', '"\0"')),
    ]) {
      const { status, body } = await importBytes(version, bytes);
      expect([status, JSON.parse(body).status]).toEqual([400, 0]);
      expect(JSON.parse(body).error).toMatch(/\w/);
    }
    expect(await isHealthy()).toBe(true);
  });

  it('may have property names such as __proto__ and constructor', async () => {
    const { version_id: version } = await client.create();
    const own = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "": null, "a.b": [{"c": []}]}');
    const records = [client.event({ distinct_id: 'a', time: 1, ...own }), client.person('__proto__', { $set: own })];
    expect(await client.import('events', version, records.slice(0, 1))).toBe(true);
    expect(await client.import('people', version, records.slice(1))).toBe(true);
    await waitForFlush(version);
  });
});

describe('paths', () => {
  it('cannot reach files outside the project', async () => {
    const before = readdirSync(folder.path).sort();
    for (const id of [
      '..%2f..%2fshop',
      '%2e%2e',
      '..',
      '.',
      '%00',
      'orders%00',
      'a%2fb',
      '%ff',
      '%',
      'x'.repeat(10_000),
      '%F0%9F%98%80',
    ]) {
      for (const [method, path] of [
        ['GET', `/datasets/${id}/versions?token=${folder.token}`],
        ['POST', `/datasets/${id}/versions?token=${folder.token}`],
        ['DELETE', `/datasets/orders/versions/${id}?token=${folder.token}`],
      ] as const) {
        const { status, body } = await send(method, path);
        expect([method, id, [400, 404, 405, 414].includes(status)]).toEqual([method, id, true]);
        expect(Object.keys(JSON.parse(body))).toEqual(['error']);
      }
    }
    expect(readdirSync(folder.path).sort()).toEqual(before);
  });
});

describe('bodies', () => {
  it('of an unsupported type are refused', async () => {
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml', 'x/y']) {
      const { status } = await send('POST', '/import-events', { body: 'data=1', headers: { 'content-type': type } });
      expect([type, status]).toEqual([type, 415]);
    }
  });

  it('that are too long or endless are refused before they are buffered', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const long = send('POST', '/import-events', { headers: { ...headers, 'content-length': String(2 ** 40) } });
    expect((await long).status).toBe(413);
    const sent = await sendEndlessly();
    expect(sent).toBeLessThan(200 * 2 ** 20);
    expect(await isHealthy()).toBe(true);
  });

  it('of 32 MiB from many clients at once do not exceed the memory limit', async () => {
    const { version_id: version } = await client.create();
    const data = Buffer.alloc(22 * 2 ** 20, ' ').toString('base64');
    const body = new URLSearchParams({ dataset_id: 'orders', dataset_version: version, data }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = Array.from({ length: 20 }, () =>
      send('POST', '/import-events', { body, headers }).catch(() => undefined),
    );
    for (const answer of await Promise.all(sent)) {
      if (answer !== undefined) expect([400, 413, 503]).toContain(answer.status);
    }
    expect(await isHealthy()).toBe(true);
    if (process.platform === 'linux') expect(measurePeakMemory()).toBeLessThan(MAX_MEMORY);
  });
});

/** Sends chunks until the server closes the connection. Returns the number of bytes sent. */
function sendEndlessly(): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${folder.secret}:`).toString('base64')}`;
  const chunk = Buffer.alloc(2 ** 20, 'a');
  return new Promise((resolve) => {
    let sent = 0;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const request = httpRequest(server.address, { method: 'POST', path: '/import-events', agent: false, headers });
    const write = () => {
      while (sent < 2 ** 30 && !request.destroyed) {
        sent += chunk.length;
        if (!request.write(chunk)) return;
      }
    };
    const end = () => {
      request.destroy();
      resolve(sent);
    };
    request.on('drain', write).on('error', end).on('response', end).on('close', end);
    write();
  });
}

describe('connections', () => {
  it('that send nothing do not block other clients', async () => {
    const { hostname, port } = new URL(server.address);
    const silent: Socket[] = Array.from({ length: 200 }, () =>
      connect(Number(port), hostname).on('error', () => undefined),
    );
    await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    for (const socket of silent.slice(0, 100)) socket.write('POST /import-events HTTP/1.1\r\nHost: x\r\nX: ');
    expect(await client.list()).toBeInstanceOf(Array);
    for (const socket of silent) socket.destroy();
  });
});

describe('imports and deletions of the same version', () => {
  it('each succeed or fail when two clients send them at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { version_id: version } = await client.create();
      let isDeleted = false;
      const importing = (async () => {
        const answers: number[] = [];
        while (!isDeleted || answers.length < 3) {
          const records = Array.from({ length: 100 }, (_, time) => client.event({ distinct_id: 'a', time: time + 1 }));
          const { status, error } = await client.importVerbosely('events', version, records);
          answers.push(status);
          if (status === 0) expect(error).toMatch(/version/);
          if (status === 0 && isDeleted) break;
        }
        return answers;
      })();
      await client.setState(version, OPEN);
      await new Promise((resolve) => setTimeout(resolve, 100 * round));
      const deletions = await Promise.all(
        [1, 2].map(() => client.request('DELETE', `/datasets/orders/versions/${version}`, { token: folder.token })),
      );
      isDeleted = true;
      expect(deletions.map(({ status }) => status).sort()).toContain(200);
      for (const { status } of deletions) expect([200, 404]).toContain(status);
      // After the first refusal, every import is refused.
      const answers = await importing;
      expect(answers.indexOf(0) === -1 || answers.slice(answers.indexOf(0)).every((status) => status === 0)).toBe(true);
      expect((await client.list()).map(({ version_id }) => version_id)).not.toContain(version);
    }
    expect(await isHealthy()).toBe(true);
  });
});
