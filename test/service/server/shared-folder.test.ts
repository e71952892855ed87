import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StandbyServer } from '../../../src/service/server/standby-server.ts';
import { LeaseLostError } from '../../../src/service/storage/folder-hold.ts';
import { eventually } from '../../eventually.ts';
import { TOKEN } from './fake-datasets.ts';
import { createCertificate, RunningServer, readAll } from './running-server.ts';

const BATCH = { dataset_id: 'shop', dataset_version: 'v1', data: 'x' };
const LOST = 'Another server is taking over, and this request may or may not have changed something';

describe('a server that loses the lease of its data folder', () => {
  let server: RunningServer;
  let isHeld: boolean;

  beforeEach(async () => {
    isHeld = true;
    const assertHeld = () => {
      if (!isHeld) throw new LeaseLostError('p1');
    };
    server = await RunningServer.start({ hold: { assertHeld } });
    await server.sendForm('/datasets/shop/versions', { token: TOKEN });
  });

  afterEach(() => server.stop());

  it('does not acknowledge an import that was written before', async () => {
    expect((await server.sendForm('/import-events', BATCH)).text).toBe('1');
    server.datasets.gate = Promise.resolve().then(() => {
      isHeld = false;
    });
    const plain = await server.sendForm('/import-events', BATCH);
    expect([plain.status, plain.headers['retry-after'], plain.text]).toEqual([503, '5', '0']);
    const verbose = await server.sendForm('/import-events', { ...BATCH, verbose: '1' });
    expect([verbose.status, JSON.parse(verbose.text)]).toEqual([
      503,
      { status: 0, error: expect.stringContaining(LOST) },
    ]);
  });

  it('answers no query, because another server may have newer data', async () => {
    expect((await server.request('/api/2.0/events/names?limit=5')).status).toBe(200);
    isHeld = false;
    const { status, text } = await server.request('/api/2.0/events/names?limit=6');
    expect([status, JSON.parse(text).error]).toEqual([503, expect.stringContaining(LOST)]);
  });

  it('still says what is wrong with a request, and that the process is alive', async () => {
    isHeld = false;
    expect((await server.request('/api/2.0/events/names?limit=x')).status).toBe(400);
    expect((await server.request('/api/2.0/events/names', { secret: 'wrong' })).status).toBe(401);
    expect((await server.request('/metrics')).status).toBe(200);
  });
});

describe('a server that stands by', () => {
  async function listen(onPort = 0) {
    const standby = new StandbyServer(await createCertificate());
    const { port } = await standby.listen(onPort, '127.0.0.1');
    return { standby, port };
  }

  it('answers every request with 503 and when to retry, without reading its body', async () => {
    const { standby, port } = await listen();
    const server = new RunningServer();
    server.port = port;
    const health = await server.request('/healthz');
    expect([health.status, JSON.parse(health.text)]).toEqual([503, { status: 'standby' }]);
    const headers = { 'content-length': String(2 ** 40) };
    const requests = [
      server.request('/api/2.0/segmentation?event=a', { secret: null }),
      server.request('/import-events', { method: 'POST', headers }),
      server.request('/healthz/x', { method: 'DELETE' }),
    ];
    for (const { status, headers, text } of await Promise.all(requests)) {
      expect([status, headers['retry-after'], headers.connection]).toEqual([503, '5', 'close']);
      expect(JSON.parse(text).error).toMatch(/^This server stands by for another one/);
    }
    await standby.stop();
  });

  it('frees its port when it stops, for the server that takes over', async () => {
    // Another process may take the free port, but not again and again.
    await eventually(async () => {
      const { standby, port } = await listen();
      const closed = readAll(connect(port, '127.0.0.1'));
      await standby.stop();
      expect(await closed).toBe('');
      const next = await listen(port);
      expect(next.port).toBe(port);
      await next.standby.stop();
    });
  });
});
