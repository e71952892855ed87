import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signParameters } from '../../../../src/service/server/access/signed-access.ts';
import type { MetricsAccess } from '../../../../src/service/server/routes/add-open-routes.ts';
import { DATASET_SECRET, FILTERED_SECRET, SECRET, TOKEN } from '../fake-datasets.ts';
import { encodeBasic, RunningServer } from '../running-server.ts';
import { stopDocumented } from '../stop-documented.ts';

const VERSIONS = '/datasets/shop/versions';
const servers: RunningServer[] = [];

async function start(options: Parameters<typeof RunningServer.start>[0] = {}): Promise<RunningServer> {
  const server = await RunningServer.start(options);
  servers.push(server);
  return server;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    await stopDocumented(server);
  }
});

describe('authentication', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await RunningServer.start();
  });
  afterAll(() => server.stop());

  it.each([
    ['without a secret', undefined],
    ['with an unknown secret', encodeBasic('other')],
    ['with an empty secret', encodeBasic('')],
    ['with a password', encodeBasic(SECRET, 'x')],
    ['with a colon in the secret', encodeBasic(`${SECRET}:`)],
    ['without a colon after the secret', `Basic ${Buffer.from(SECRET).toString('base64')}`],
    ['with another scheme', `Bearer ${SECRET}`],
    ['with a secret that is not base64', `Basic ${SECRET}:`],
    ['with a scheme only', 'Basic'],
  ])('rejects a request %s', async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    for (const [path, method] of [
      [`${VERSIONS}?token=${TOKEN}`, 'GET'] as const,
      ['/import-events?verbose=1', 'POST'] as const,
    ]) {
      const response = await server.request(path, { secret: null, headers, method });
      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Basic realm="onwhere", charset="UTF-8"');
      const isImport = path.startsWith('/import');
      expect(Object.keys(JSON.parse(response.text))).toEqual(isImport ? ['error', 'status'] : ['error']);
    }
  });

  it.each(['EMFILE', 'ENFILE'])('answers 503 if it cannot open a file to check the secret: %s', async (code) => {
    const full = await start();
    full.datasets.accessOf = () => Promise.reject(Object.assign(new Error('too many'), { code }));
    for (const path of [`${VERSIONS}?token=${TOKEN}`, '/api/2.0/events/names']) {
      const { status, headers, text } = await full.request(path, { secret: 'wrong' });
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      expect(JSON.parse(text).error).toMatch(/too many open files/);
    }
  });

  it('answers `0` to an import without `verbose`', async () => {
    const { status, text } = await server.request('/import-events', { secret: 'wrong', method: 'POST' });
    expect([status, text]).toEqual([401, '0']);
  });

  it.each([
    ['annotations', {}],
    ['annotations/create', { date: '2024-02-01 00:00:00', description: 'x' }],
    ['annotations/update', { id: '1', date: '2024-02-01 00:00:00', description: 'x' }],
    ['annotations/delete', { id: '1' }],
    ['funnels/list', {}],
    ['funnels', { funnel_id: '1', from_date: '2024-02-01', to_date: '2024-02-01' }],
  ])('refuses %s to a key for a part of the project', async (path, parameters) => {
    const query = new URLSearchParams(parameters as Record<string, string>);
    const { status, text } = await server.request(`/api/2.0/${path}?${query}`, { secret: FILTERED_SECRET });
    expect([status, JSON.parse(text).error]).toEqual([401, expect.stringContaining('are for a whole project')]);
    expect(server.services.calls).toEqual([]);
  });

  it('ignores the case of the scheme', async () => {
    const authorization = encodeBasic(SECRET).replace('Basic', 'bAsIc');
    const response = await server.request(`${VERSIONS}?token=${TOKEN}`, { secret: null, headers: { authorization } });
    expect(response.status).toBe(200);
  });

  it('rejects a request without a secret before it reads the body', async () => {
    const headers = {
      'content-length': String(30 * 1024 * 1024),
      'content-type': 'application/json',
      expect: '100-continue',
    };
    const response = await server.request('/import-events', { method: 'POST', secret: null, headers });
    expect(response.status).toBe(401);
  });

  it('is not required for health checks, metrics and the OpenAPI document', async () => {
    for (const path of ['/healthz', '/metrics', '/openapi.json', '/healthz/']) {
      expect((await server.request(path, { secret: null })).status).toBe(200);
    }
    expect((await server.request('/healthz', { secret: null })).text).toBe('{"status":"ok"}');
  });
});

describe('/metrics', () => {
  const read = async (metrics: MetricsAccess, secret: string | null) => {
    const server = await start({ metrics });
    server.services.result = [];
    await server.request('/api/2.0/events/names');
    const { status, text } = await server.request('/metrics', { secret });
    return { status, text, names: text.includes('project="demo"'), counts: text.includes('onwhere_requests_total') };
  };

  it('counts answers by whether they were cached, and the time of queries', async () => {
    const server = await start({ metrics: { isOpen: true } });
    server.services.result = [];
    for (let times = 0; times < 2; times++) await server.request('/api/2.0/events/names');
    const { text } = await server.request('/metrics');
    // The cache of this server has no room.
    expect(text.match(/^onwhere_answers_total.*/gm)).toEqual([
      'onwhere_answers_total{cached="true"} 0',
      'onwhere_answers_total{cached="false"} 2',
    ]);
    for (const phase of ['waiting', 'running'])
      expect(Number(text.match(`onwhere_query_seconds_total{phase="${phase}"} (.*)`)?.[1])).toBeGreaterThan(0);
  });

  it('measures the flush lag, all versions, and some of the largest by name', async () => {
    const server = await start({ metrics: { isOpen: true, secret: 'scraper' } });
    server.datasets.sized = 3_000;
    const { text } = await server.request('/metrics', { secret: 'scraper' });
    expect(text).toMatch(/^onwhere_flush_lag_seconds 1\.5$/m);
    expect(text).toMatch(/^onwhere_versions 3000$/m);
    expect(text).toMatch(/^onwhere_versions_bytes 4501500$/m);
    const named = /^onwhere_version_bytes\{.*/gm;
    expect(text.match(named)).toHaveLength(20);
    expect(text).toContain('\nonwhere_version_bytes{project="demo",dataset="shop",version="v0"} 3000\n');
    server.datasets.sized = 1;
    expect((await server.request('/metrics', { secret: 'scraper' })).text.match(named)).toHaveLength(1);
    expect((await server.request('/metrics', { secret: null })).text.match(named)).toBeNull();
  });

  it.each<[MetricsAccess, string | null, object]>([
    [{ isOpen: true }, null, { status: 200, names: false, counts: true }],
    [{ isOpen: true }, SECRET, { status: 200, names: false, counts: true }],
    [{ isOpen: true, secret: 'scraper' }, null, { status: 200, names: false, counts: true }],
    [{ isOpen: true, secret: 'scraper' }, 'scraper', { status: 200, names: true, counts: true }],
    [{ isOpen: false, secret: 'scraper' }, 'scraper', { status: 200, names: true, counts: true }],
    [{ isOpen: false, secret: 'scraper' }, 'scrapes', { status: 401, names: false, counts: false }],
    [{ isOpen: false, secret: 'scraper' }, SECRET, { status: 401, names: false, counts: false }],
    [{ isOpen: false, secret: 'scraper' }, null, { status: 401, names: false, counts: false }],
    [{ isOpen: false }, '', { status: 401, names: false, counts: false }],
  ])('with %o and the secret %s', async (access, secret, expected) => {
    expect(await read(access, secret)).toMatchObject(expected);
  });

  it('says which option opens it', async () => {
    expect((await read({ isOpen: false }, null)).text).toContain('--metrics-secret');
    expect((await read({ isOpen: false, secret: 'scraper' }, null)).text).toContain('--metrics-secret');
  });
});

describe('cross-site protection', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await RunningServer.start();
    server.services.result = [];
  });
  afterAll(() => stopDocumented(server));

  const own = () => `https://localhost:${server.port}`;
  const foreignHeaders: [origin: string, headers: Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://example.com' }],
    ['another port', { origin: 'https://localhost:1' }],
    ['a page without an origin', { origin: 'null' }],
  ];
  const note = { date: '2024-02-01 00:00:00', description: 'x' };
  const query = `/api/2.0/annotations/create?${new URLSearchParams(note)}`;

  it.each(foreignHeaders)('refuses requests with a secret from %s', async (_, given) => {
    const headers = { host: `localhost:${server.port}`, ...given };
    const responses = [
      await server.request(query, { headers }),
      await server.request('/api/2.0/events/names', { headers }),
      await server.sendForm('/api/2.0/annotations/create', note, { headers }),
      await server.sendForm(VERSIONS, { token: TOKEN }, { headers }),
      await server.request(`${VERSIONS}?token=${TOKEN}`, { headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(server.services.calls).toEqual([]);
    expect(server.datasets.stored.size).toBe(0);
  });

  it("allows requests from the server's own page and from programs", async () => {
    const host = `localhost:${server.port}`;
    for (const headers of [
      {},
      { host, 'sec-fetch-site': 'same-origin', origin: own() },
      { host, 'sec-fetch-site': 'none' },
      { host, origin: own() },
      // A proxy may use another host name.
      { host: 'inside', 'sec-fetch-site': 'same-origin', origin: own() },
    ])
      expect((await server.request('/api/2.0/events/names', { headers: headers as never })).status).toBe(200);
  });

  it('allows signed requests, whatever secret the browser remembers', async () => {
    const given = { api_key: TOKEN, expire: '4102444800' };
    const path = `/api/2.0/events/names?${new URLSearchParams({ ...given, sig: signParameters(given, SECRET) })}`;
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (const secret of [null, 'remembered'])
      expect((await server.request(path, { secret, headers })).status).toBe(200);
  });

  it('keeps other sites from embedding responses', async () => {
    for (const path of ['/healthz', '/api/2.0/events/names', '/nothing', '/%zz', `${VERSIONS}?token=${TOKEN}`])
      expect((await server.request(path)).headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});

describe('plain HTTP', () => {
  const paths = ['/metrics', '/openapi.json', `${VERSIONS}?token=${TOKEN}`, '/nothing', '/%zz'];

  it.each(paths)('is refused on the HTTPS port: %s', async (path) => {
    const server = await start();
    const response = await server.request(path, { plain: true });
    expect(response.status).toBe(403);
    expect(JSON.parse(response.text).error).toMatch(/https/);
  });

  it('is accepted for health checks, because probes may not trust the certificate', async () => {
    const server = await start();
    for (const path of ['/healthz', '/healthz/']) {
      const { status, text } = await server.request(path, { plain: true, secret: null });
      expect([status, text]).toEqual([200, '{"status":"ok"}']);
    }
  });

  it('is refused while the client is still sending a body', async () => {
    const server = await start();
    const data = 'x'.repeat(3_000_000);
    const fields = { dataset_id: 'shop', dataset_version: 'v1', data, verbose: '1' };
    const response = await server.sendForm('/import-events?verbose=1', fields, { plain: true });
    expect([response.status, Object.keys(JSON.parse(response.text))]).toEqual([403, ['error', 'status']]);
  });

  it('is refused without disturbing HTTPS requests', async () => {
    const server = await start();
    const responses = Array.from({ length: 20 }, (_, index) => server.request('/metrics', { plain: index % 2 === 0 }));
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 403 : 200)));
  });

  it('is accepted with `allowHttp`', async () => {
    const server = await start({ allowHttp: true });
    expect((await server.sendForm(VERSIONS, { token: TOKEN }, { plain: true })).status).toBe(200);
    expect((await server.sendForm(VERSIONS, { token: TOKEN })).status).toBe(200);
  });

  it.each([
    ['https', 200],
    ['HTTPS', 200],
    ['https, https', 200],
    ['http', 403],
    ['https, http', 403],
    ['', 403],
    [undefined, 403],
  ])('is accepted behind a proxy only if `X-Forwarded-Proto` is https: %s, %i', async (protocol, status) => {
    const server = await start({ behindProxy: true });
    const headers: Record<string, string> = protocol === undefined ? {} : { 'x-forwarded-proto': protocol };
    expect((await server.request(`${VERSIONS}?token=${TOKEN}`, { plain: true, headers })).status).toBe(status);
  });

  it('is accepted from a probe that bypasses the proxy, for health checks and metrics only', async () => {
    const server = await start({ behindProxy: true });
    const statuses = [];
    for (const path of ['/healthz', '/metrics', '/openapi.json', '/nothing'])
      statuses.push((await server.request(path, { plain: true, secret: null })).status);
    expect(statuses).toEqual([200, 200, 403, 403]);
  });

  it('is refused despite `X-Forwarded-Proto` if there is no proxy', async () => {
    const server = await start();
    const response = await server.request('/metrics', { plain: true, headers: { 'x-forwarded-proto': 'https' } });
    expect(response.status).toBe(403);
  });
});

describe('the request log', () => {
  it('contains no secrets, tokens, data or paths', async () => {
    const server = await start();
    const fields = { token: TOKEN, dataset_id: 'shop', dataset_version: 'v1', data: 'private-data' };
    await server.sendForm(`${VERSIONS}?token=${TOKEN}`, fields);
    await server.sendForm('/import-events', fields);
    await server.sendForm('/import-events', { ...fields, data: 'bad' });
    await server.sendForm('/import-events', { ...fields, data: 'broken' });
    await server.sendForm(`/private-path?token=${TOKEN}`, fields);
    await server.request(`/%zz?token=${TOKEN}`);
    await server.request(`${VERSIONS}?token=${TOKEN}`, { plain: true });
    await server.request(`${VERSIONS}?token=${TOKEN}`, {
      secret: null,
      headers: { authorization: encodeBasic(SECRET, 'x') },
    });
    await server.request(VERSIONS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"${TOKEN}`,
    });
    const log = server.log.join('');
    expect(server.log.length).toBeGreaterThan(8);
    const confidential = [SECRET, TOKEN, 'private', 'shop', Buffer.from(SECRET).toString('base64').slice(0, 20)];
    expect(confidential.filter((text) => log.includes(text))).toEqual([]);
  });

  it('names the project, key and address of each request', async () => {
    const server = await start({ behindProxy: true, metrics: { secret: 'scraper', isOpen: false } });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.1, 203.0.113.7' };
    const signed = { api_key: TOKEN, expire: '4102444800' };
    const query = new URLSearchParams({ ...signed, sig: signParameters(signed, SECRET) });
    server.services.result = [];
    await server.request('/api/2.0/events/names', { plain: true, headers });
    await server.request(`${VERSIONS}?token=${TOKEN}`, { plain: true, headers, secret: DATASET_SECRET });
    await server.request(`/api/2.0/events/names?${query}`, { plain: true, headers, secret: null });
    await server.request('/api/2.0/events/names', { plain: true, headers, secret: 'wrong' });
    const lines = server.log.map((line) => JSON.parse(line));
    expect(lines.map(({ project, key, address, status }) => [project, key, address, status])).toEqual([
      ['demo', 'a1b2c3d4', '203.0.113.7', 200],
      ['demo', 'd1e2f3a4', '203.0.113.7', 200],
      ['demo', 'signature', '203.0.113.7', 200],
      [undefined, undefined, '203.0.113.7', 401],
    ]);
    const metrics = (await server.request('/metrics', { plain: true, secret: 'scraper' })).text;
    expect(metrics).toContain('onwhere_key_requests_total{project="demo",key="signature",status="200"} 1');
  });

  it('has one line per request', async () => {
    const server = await start();
    await server.request('/healthz');
    await server.request('/%zz');
    await server.request('/nothing');
    const lines = server.log.map((line) => JSON.parse(line));
    expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/healthz', 200],
      ['GET', 'none', 400],
      ['GET', 'none', 404],
    ]);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(3);
  });
});
