import { Agent } from 'node:https';
import { describe, expect, it } from 'vitest';
import { TOKEN } from './fake-datasets.ts';
import { everything, RunningServer } from './running-server.ts';

const BATCH = { dataset_id: 'shop', dataset_version: 'v1', data: 'x' };

/** A server with an import under way, which waits to be let go on. */
async function importing(limits = {}) {
  const server = await RunningServer.start({ limits });
  await server.form('/datasets/shop/versions', { token: TOKEN });
  let goOn = () => {};
  server.datasets.gate = new Promise((resolve) => {
    goOn = resolve;
  });
  const answer = server.form('/import-events', BATCH);
  await expect.poll(async () => (await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes [1-9]/);
  return { server, goOn, answer };
}

describe('a server that is stopped', () => {
  it('answers what is under way, then closes the datasets', async () => {
    const { server, goOn, answer } = await importing();
    const stopped = server.stop();
    expect(server.datasets.closed).toBe(false);
    await expect(server.ask('/healthz')).rejects.toThrow(/ECONNREFUSED/);
    goOn();
    expect((await answer).text).toBe('1');
    await stopped;
    expect(server.datasets.closed).toBe(true);
  });

  it('does not wait for ever', async () => {
    const { server, answer } = await importing({ stopMs: 50 });
    const failed = expect(answer).rejects.toThrow();
    await server.stop();
    await failed;
    expect(server.datasets.closed).toBe(true);
  });

  it('tells queries that take too long, though nothing ends them', async () => {
    const server = await RunningServer.start({ limits: { stopMs: 50 } });
    server.services.result = () => new Promise(() => undefined);
    const path = '/api/2.0/events/names?limit=5';
    const agent = new Agent({ keepAlive: true });
    const answers = [server.ask(path, { agent }), server.form('/api/2.0/events/names', { limit: '6' }, { agent })];
    await expect.poll(() => server.services.asked.length).toBe(2);
    await server.stop();
    for (const { status, headers, text } of await Promise.all(answers)) {
      expect([status, headers['retry-after'], headers.connection]).toEqual([503, '5', 'close']);
      expect(JSON.parse(text)).toMatchObject({
        error: expect.stringMatching(/^The server is stopping/),
        request: expect.stringContaining('/api/2.0/events/names?limit='),
      });
    }
    agent.destroy();
  });

  it('does not wait for who sends nothing', async () => {
    const server = await RunningServer.start({ limits: { stopMs: 1e9, headersMs: 1e8, requestMs: 1e9 } });
    const closed = everything(await server.connect());
    await server.ask('/healthz');
    await server.stop();
    expect(await closed).toBe('');
  });

  it('answers what comes to its end meanwhile, and closes the connection', async () => {
    const { server, goOn, answer } = await importing({ headersMs: 60_000 });
    const socket = await server.connect();
    const said = everything(socket);
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\nx-forwarded-proto: https\r\n');
    await server.ask('/healthz');
    const stopped = server.stop();
    socket.write('\r\n');
    expect(await said).toMatch(/^HTTP\/1\.1 403 .*connection: close/is);
    goOn();
    await answer;
    await stopped;
  });
});
