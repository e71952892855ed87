import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signParameters } from '../../../src/service/server/signed-access.ts';
import { DATASET_SECRET, SECRET, TOKEN } from './fake-datasets.ts';
import { basic, RunningServer } from './running-server.ts';
import { stopDocumented } from './stop-documented.ts';

const VERSIONS = '/datasets/shop/versions';
const running: RunningServer[] = [];

async function start(options: Parameters<typeof RunningServer.start>[0] = {}): Promise<RunningServer> {
  const server = await RunningServer.start(options);
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) {
    await stopDocumented(server);
  }
});

describe('a secret', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await RunningServer.start();
  });
  afterAll(() => server.stop());

  it.each([
    ['missing', undefined],
    ['of another', basic('other')],
    ['empty', basic('')],
    ['with a password', basic(SECRET, 'x')],
    ['with a colon', basic(`${SECRET}:`)],
    ['without a colon', `Basic ${Buffer.from(SECRET).toString('base64')}`],
    ['in another scheme', `Bearer ${SECRET}`],
    ['not in base64', `Basic ${SECRET}:`],
    ['in nothing', 'Basic'],
  ])('that is %s opens nothing', async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    for (const [path, method] of [
      [`${VERSIONS}?token=${TOKEN}`, 'GET'] as const,
      ['/import-events?verbose=1', 'POST'] as const,
    ]) {
      const answer = await server.ask(path, { secret: null, headers, method });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="onwhere", charset="UTF-8"');
      const isImport = path.startsWith('/import');
      expect(Object.keys(JSON.parse(answer.text))).toEqual(isImport ? ['error', 'status'] : ['error']);
    }
  });

  it.each(['EMFILE', 'ENFILE'])('is neither right nor wrong where no file can be opened: %s', async (code) => {
    const full = await start();
    full.datasets.accessOf = () => Promise.reject(Object.assign(new Error('too many'), { code }));
    for (const path of [`${VERSIONS}?token=${TOKEN}`, '/api/2.0/events/names']) {
      const { status, headers, text } = await full.ask(path, { secret: 'wrong' });
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      expect(JSON.parse(text).error).toMatch(/too many open files/);
    }
  });

  it('opens in any spelling of its scheme', async () => {
    const authorization = basic(SECRET).replace('Basic', 'bAsIc');
    const answer = await server.ask(`${VERSIONS}?token=${TOKEN}`, { secret: null, headers: { authorization } });
    expect(answer.status).toBe(200);
  });

  it('is asked for before anything of the body is', async () => {
    const headers = {
      'content-length': String(30 * 1024 * 1024),
      'content-type': 'application/json',
      expect: '100-continue',
    };
    const answer = await server.ask('/import-events', { method: 'POST', secret: null, headers });
    expect(answer.status).toBe(401);
  });

  it('is not needed for what tells none', async () => {
    for (const path of ['/healthz', '/metrics', '/openapi.json', '/healthz/']) {
      expect((await server.ask(path, { secret: null })).status).toBe(200);
    }
    expect((await server.ask('/healthz', { secret: null })).text).toBe('{"status":"ok"}');
  });
});

describe('a page of another site', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await RunningServer.start();
    server.services.result = [];
  });
  afterAll(() => stopDocumented(server));

  const own = () => `https://localhost:${server.port}`;
  const foreign: [what: string, headers: Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://example.com' }],
    ['another port', { origin: 'https://localhost:1' }],
    ['a page without an origin', { origin: 'null' }],
  ];
  const note = { date: '2024-02-01 00:00:00', description: 'x' };
  const query = `/api/2.0/annotations/create?${new URLSearchParams(note)}`;

  it.each(foreign)('makes no browser send its secret: %s', async (_, given) => {
    const headers = { host: `localhost:${server.port}`, ...given };
    const asked = [
      await server.ask(query, { headers }),
      await server.ask('/api/2.0/events/names', { headers }),
      await server.form('/api/2.0/annotations/create', note, { headers }),
      await server.form(VERSIONS, { token: TOKEN }, { headers }),
      await server.ask(`${VERSIONS}?token=${TOKEN}`, { headers }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(server.services.asked).toEqual([]);
    expect(server.datasets.stored.size).toBe(0);
  });

  it('does not hinder the page of the server, or programs', async () => {
    const host = `localhost:${server.port}`;
    for (const headers of [
      {},
      { host, 'sec-fetch-site': 'same-origin', origin: own() },
      { host, 'sec-fetch-site': 'none' },
      { host, origin: own() },
      // As behind a proxy that asks by another name.
      { host: 'inside', 'sec-fetch-site': 'same-origin', origin: own() },
    ])
      expect((await server.ask('/api/2.0/events/names', { headers: headers as never })).status).toBe(200);
  });

  it('may ask with a signature, whatever secret the browser remembers', async () => {
    const given = { api_key: TOKEN, expire: '4102444800' };
    const path = `/api/2.0/events/names?${new URLSearchParams({ ...given, sig: signParameters(given, SECRET) })}`;
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (const secret of [null, 'remembered']) expect((await server.ask(path, { secret, headers })).status).toBe(200);
  });

  it('cannot embed an answer', async () => {
    for (const path of ['/healthz', '/api/2.0/events/names', '/nothing', '/%zz', `${VERSIONS}?token=${TOKEN}`])
      expect((await server.ask(path)).headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});

describe('plain HTTP', () => {
  const anything = ['/metrics', '/openapi.json', `${VERSIONS}?token=${TOKEN}`, '/nothing', '/%zz'];

  it.each(anything)('is refused on the port of HTTPS: %s', async (path) => {
    const server = await start();
    const answer = await server.ask(path, { plain: true });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text).error).toMatch(/https/);
  });

  it('is taken from whoever asks whether the server is well, as probes know no certificate', async () => {
    const server = await start();
    for (const path of ['/healthz', '/healthz/']) {
      const { status, text } = await server.ask(path, { plain: true, secret: null });
      expect([status, text]).toEqual([200, '{"status":"ok"}']);
    }
  });

  it('is refused with a body on its way', async () => {
    const server = await start();
    const data = 'x'.repeat(3_000_000);
    const fields = { dataset_id: 'shop', dataset_version: 'v1', data, verbose: '1' };
    const answer = await server.form('/import-events', fields, { plain: true });
    expect([answer.status, Object.keys(JSON.parse(answer.text))]).toEqual([403, ['error', 'status']]);
  });

  it('does not hinder HTTPS', async () => {
    const server = await start();
    const asked = Array.from({ length: 20 }, (_, index) => server.ask('/metrics', { plain: index % 2 === 0 }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 403 : 200)));
  });

  it('is taken from this machine where that is allowed', async () => {
    const server = await start({ allowHttp: true });
    expect((await server.form(VERSIONS, { token: TOKEN }, { plain: true })).status).toBe(200);
    expect((await server.form(VERSIONS, { token: TOKEN })).status).toBe(200);
  });

  it.each([
    ['https', 200],
    ['HTTPS', 200],
    ['https, https', 200],
    ['http', 403],
    ['https, http', 403],
    ['', 403],
    [undefined, 403],
  ])('is taken from a proxy that was asked over %s: %i', async (protocol, status) => {
    const server = await start({ behindProxy: true });
    const headers: Record<string, string> = protocol === undefined ? {} : { 'x-forwarded-proto': protocol };
    expect((await server.ask(`${VERSIONS}?token=${TOKEN}`, { plain: true, headers })).status).toBe(status);
  });

  it('is taken from a probe beside the proxy', async () => {
    const server = await start({ behindProxy: true });
    const statuses = [];
    for (const path of ['/healthz', '/metrics', '/openapi.json', '/nothing'])
      statuses.push((await server.ask(path, { plain: true, secret: null })).status);
    expect(statuses).toEqual([200, 200, 403, 403]);
  });

  it('is not taken on the word of a client where there is no proxy', async () => {
    const server = await start();
    const answer = await server.ask('/metrics', { plain: true, headers: { 'x-forwarded-proto': 'https' } });
    expect(answer.status).toBe(403);
  });
});

describe('the log', () => {
  it('tells no secret, token, data or path', async () => {
    const server = await start();
    const fields = { token: TOKEN, dataset_id: 'shop', dataset_version: 'v1', data: 'private-data' };
    await server.form(`${VERSIONS}?token=${TOKEN}`, fields);
    await server.form('/import-events', fields);
    await server.form('/import-events', { ...fields, data: 'bad' });
    await server.form('/import-events', { ...fields, data: 'broken' });
    await server.form(`/private-path?token=${TOKEN}`, fields);
    await server.ask(`/%zz?token=${TOKEN}`);
    await server.ask(`${VERSIONS}?token=${TOKEN}`, { plain: true });
    await server.ask(`${VERSIONS}?token=${TOKEN}`, { secret: null, headers: { authorization: basic(SECRET, 'x') } });
    await server.ask(VERSIONS, { method: 'POST', headers: { 'content-type': 'application/json' }, body: `{"${TOKEN}` });
    const log = server.log.join('');
    expect(server.log.length).toBeGreaterThan(8);
    const told = [SECRET, TOKEN, 'private', 'shop', Buffer.from(SECRET).toString('base64').slice(0, 20)];
    expect(told.filter((text) => log.includes(text))).toEqual([]);
  });

  it('names who asks', async () => {
    const server = await start({ behindProxy: true });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.1, 203.0.113.7' };
    const signed = { api_key: TOKEN, expire: '4102444800' };
    const query = new URLSearchParams({ ...signed, sig: signParameters(signed, SECRET) });
    server.services.result = [];
    await server.ask('/api/2.0/events/names', { plain: true, headers });
    await server.ask(`${VERSIONS}?token=${TOKEN}`, { plain: true, headers, secret: DATASET_SECRET });
    await server.ask(`/api/2.0/events/names?${query}`, { plain: true, headers, secret: null });
    await server.ask('/api/2.0/events/names', { plain: true, headers, secret: 'wrong' });
    const lines = server.log.map((line) => JSON.parse(line));
    expect(lines.map(({ project, key, address, status }) => [project, key, address, status])).toEqual([
      ['demo', 'a1b2c3d4', '203.0.113.7', 200],
      ['demo', 'd1e2f3a4', '203.0.113.7', 200],
      ['demo', 'signature', '203.0.113.7', 200],
      [undefined, undefined, '203.0.113.7', 401],
    ]);
    const metrics = (await server.ask('/metrics', { plain: true, secret: null })).text;
    expect(metrics).toContain('onwhere_key_requests_total{project="demo",key="signature",status="200"} 1');
  });

  it('has one line for each request', async () => {
    const server = await start();
    await server.ask('/healthz');
    await server.ask('/%zz');
    await server.ask('/nothing');
    const lines = server.log.map((line) => JSON.parse(line));
    expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/healthz', 200],
      ['GET', 'none', 400],
      ['GET', 'none', 404],
    ]);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(3);
  });
});
