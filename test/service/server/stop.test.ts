import { Agent } from 'node:https';
import { describe, expect, it } from 'vitest';
import { TOKEN } from './fake-datasets.ts';
import { RunningServer, readAll } from './running-server.ts';

const BATCH = { dataset_id: 'shop', dataset_version: 'v1', data: 'x' };

/** Starts a server with a running import, which waits until `resume` is called. */
async function startImport(limits = {}) {
  const server = await RunningServer.start({ limits });
  await server.sendForm('/datasets/shop/versions', { token: TOKEN });
  let resume = () => {};
  server.datasets.gate = new Promise((resolve) => {
    resume = resolve;
  });
  const response = server.sendForm('/import-events', BATCH);
  await expect.poll(async () => (await server.request('/metrics')).text).toMatch(/onwhere_body_bytes [1-9]/);
  return { server, resume, response };
}

describe('a server that stops', () => {
  it('completes running requests, then closes the datasets', async () => {
    const { server, resume, response } = await startImport();
    const stopped = server.stop();
    expect(server.datasets.closed).toBe(false);
    await expect(server.request('/healthz')).rejects.toThrow(/ECONNREFUSED/);
    resume();
    expect((await response).text).toBe('1');
    await stopped;
    expect(server.datasets.closed).toBe(true);
  });

  it('waits no longer than its time limit', async () => {
    const { server, response } = await startImport({ stopMs: 50 });
    const failed = expect(response).rejects.toThrow();
    await server.stop();
    await failed;
    expect(server.datasets.closed).toBe(true);
  });

  it('answers 503 to queries that do not end in time', async () => {
    const server = await RunningServer.start({ limits: { stopMs: 50 } });
    server.services.result = () => new Promise(() => undefined);
    const path = '/api/2.0/events/names?limit=5';
    const agent = new Agent({ keepAlive: true });
    const responses = [
      server.request(path, { agent }),
      server.sendForm('/api/2.0/events/names', { limit: '6' }, { agent }),
    ];
    await expect.poll(() => server.services.calls.length).toBe(2);
    await server.stop();
    for (const { status, headers, text } of await Promise.all(responses)) {
      expect([status, headers['retry-after'], headers.connection]).toEqual([503, '5', 'close']);
      expect(JSON.parse(text)).toMatchObject({
        error: expect.stringMatching(/^The server is stopping/),
        request: expect.stringContaining('/api/2.0/events/names?limit='),
      });
    }
    agent.destroy();
  });

  it('does not wait for silent connections', async () => {
    const server = await RunningServer.start({ limits: { stopMs: 1e9, headersMs: 1e8, requestMs: 1e9 } });
    const closed = readAll(await server.connect());
    await server.request('/healthz');
    await server.stop();
    expect(await closed).toBe('');
  });

  it('answers a request that arrives meanwhile, and closes its connection', async () => {
    const { server, resume, response } = await startImport({ headersMs: 60_000 });
    const socket = await server.connect();
    const received = readAll(socket);
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\nx-forwarded-proto: https\r\n');
    await server.request('/healthz');
    const stopped = server.stop();
    socket.write('\r\n');
    expect(await received).toMatch(/^HTTP\/1\.1 403 .*connection: close/is);
    resume();
    await response;
    await stopped;
  });
});
