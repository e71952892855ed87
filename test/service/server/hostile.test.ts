import { once } from 'node:events';
import https from 'node:https';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { DATASET_SECRET, OTHER_SECRET, SECRET, TOKEN } from './fake-datasets.ts';
import { encodeBasic, RunningServer, readAll } from './running-server.ts';
import { stopDocumented } from './stop-documented.ts';

const VERSIONS = '/datasets/shop/versions';
const FORM = 'content-type: application/x-www-form-urlencoded';
const AUTHORIZATION = `authorization: ${encodeBasic(SECRET)}`;
const servers: RunningServer[] = [];

async function start(options: Parameters<typeof RunningServer.start>[0] = {}): Promise<RunningServer> {
  const server = await RunningServer.start(options);
  servers.push(server);
  return server;
}

/** Stops a server after checking that it still works and that all its responses are documented. */
async function stop(server: RunningServer): Promise<void> {
  expect((await server.request('/healthz')).status).toBe(200);
  await stopDocumented(server);
}

afterEach(async () => {
  for (const server of servers.splice(0)) await stop(server);
});

/** Opens a TLS connection for raw HTTP. */
async function connect(server: RunningServer): Promise<TLSSocket> {
  const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

/** Returns the request line and headers of a request, as sent over the wire. */
function formatHead(method: string, path: string, ...headers: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n');
}

describe('a path', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await RunningServer.start();
  });

  afterAll(() => stop(server));

  it.each([
    ['..%2f..%2fetc', 400],
    ['%2e%2e', 400],
    ['..', 400],
    ['a%00b', 400],
    ['a%0d%0ab', 400],
    ['a%2fb', 400],
    ['a.b', 400],
    ['%e2%82%ac', 400],
    ['', 400],
    ['a'.repeat(255), 404],
    ['a'.repeat(256), 400],
    ['a'.repeat(10_000), 400],
    ['__proto__', 400],
    ['constructor', 404],
  ])('is refused with the invalid or unknown dataset %s: %i', async (id, status) => {
    const response = await server.request(`/datasets/${id}/versions?token=${TOKEN}`);
    expect([response.status, Object.keys(JSON.parse(response.text))]).toEqual([status, ['error']]);
    expect(response.text).not.toMatch(/\p{Cc}/u);
  });

  it('is refused with an invalid version', async () => {
    for (const id of ['..%2f', '%00', 'a'.repeat(10_000)]) {
      expect((await server.request(`${VERSIONS}/${id}?token=${TOKEN}`)).status).toBe(400);
    }
  });

  it.each(['/', '//', '/datasets', '/Datasets/shop/versions', '/import-groups', '/api/2.0/x', '/healthz/x', '/\u007f'])(
    'is an invalid endpoint if it is unknown: %s',
    async (path) => {
      const response = await server.request(encodeURI(path), { secret: null });
      expect([response.status, JSON.parse(response.text).error]).toEqual([404, `Invalid endpoint: ${encodeURI(path)}`]);
    },
  );

  it('accepts its own methods only, and lists them', async () => {
    const cases = [
      ['PUT', VERSIONS, 'GET, HEAD, POST'],
      ['OPTIONS', `${VERSIONS}/`, 'GET, HEAD, POST'],
      ['POST', `${VERSIONS}/v1`, 'DELETE, GET, HEAD, PATCH'],
      ['PROPFIND', '/import-events', 'POST'],
      ['GET', '/import-people', 'POST'],
      ['TRACE', '/healthz', 'GET, HEAD'],
    ] as const;
    for (const [method, path, allow] of cases) {
      const response = await server.request(path, { method, secret: null });
      expect([method, response.status, response.headers.allow]).toEqual([method, 405, allow]);
    }
  });
});

describe('a body', () => {
  const limits = { bodyBytes: 100_000, bodyBytesAtOnce: 400_000, discardMs: 200 };
  const fields = { dataset_id: 'shop', dataset_version: 'v1', verbose: '1' };

  it('is accepted up to the limit and refused above it', async () => {
    const server = await start({ limits });
    await server.sendForm(VERSIONS, { token: TOKEN });
    const rest = new URLSearchParams({ ...fields, data: '' }).toString().length;
    const largest = await server.sendForm('/import-events', { ...fields, data: 'x'.repeat(100_000 - rest) });
    expect(largest.text).toBe('{"error":null,"status":1}');
    const tooLarge = await server.sendForm('/import-events?verbose=1', { ...fields, data: 'x'.repeat(100_001 - rest) });
    expect([tooLarge.status, JSON.parse(tooLarge.text).status]).toEqual([413, 0]);
    const huge = await server.sendForm('/import-events', { ...fields, data: 'x'.repeat(10_000_000) });
    expect([huge.status, huge.text]).toEqual([413, '0']);
  });

  it('is cut off at the limit if it never ends', async () => {
    const server = await start({ limits });
    const socket = await connect(server);
    const response = readAll(socket);
    socket.write(formatHead('POST', '/import-events', AUTHORIZATION, FORM, 'transfer-encoding: chunked'));
    const chunk = `2710\r\n${'x'.repeat(10_000)}\r\n`;
    const timer = setInterval(() => socket.write(chunk), 1);
    expect(await response).toMatch(/^HTTP\/1\.1 413 .*\r\n\r\n0$/s);
    clearInterval(timer);
  });

  it('is accepted in chunks of one byte', async () => {
    const server = await start();
    await server.sendForm(VERSIONS, { token: TOKEN });
    const socket = await connect(server);
    const response = readAll(socket);
    socket.write(
      formatHead('POST', '/import-events', AUTHORIZATION, FORM, 'transfer-encoding: chunked', 'connection: close'),
    );
    const body = `dataset_id=shop&dataset_version=v1&data=${'y'.repeat(200_000)}`;
    socket.write(`${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`);
    expect(await response).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n1$/s);
    expect(server.datasets.imported[0]?.data.length).toBe(200_000);
  });

  it('is refused with 503 while others use up the total limit', async () => {
    const server = await start({ limits });
    await server.sendForm(VERSIONS, { token: TOKEN });
    let release = () => {};
    server.datasets.gate = new Promise((resolve) => {
      release = resolve;
    });
    const data = 'x'.repeat(90_000);
    const running = [
      server.sendForm('/import-events', { ...fields, data }),
      server.sendForm('/import-events', { ...fields, data }),
    ];
    await expect.poll(async () => (await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 180\d\d\d/);
    const refused = await server.sendForm('/import-events', { ...fields, data });
    expect([refused.status, refused.headers['retry-after'], refused.text]).toEqual([503, '1', '0']);
    release();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await server.sendForm('/import-events', { ...fields, data })).status).toBe(200);
    expect((await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 0/);
  });

  it('stops counting against the total limit when the client disconnects', async () => {
    const server = await start({ limits });
    for (let times = 0; times < 5; times++) {
      const socket = await connect(server);
      socket.write(`${formatHead('POST', '/import-events', AUTHORIZATION, FORM, 'content-length: 90000')}data=`);
      await expect.poll(async () => (await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 5\n/);
      socket.destroy();
      await expect.poll(async () => (await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 0/);
    }
  });

  it('is refused with 408 if it arrives too slowly', async () => {
    const server = await start({ limits: { ...limits, slowMs: 50, minBytesPerSecond: 1e6 } });
    const socket = await connect(server);
    const response = readAll(socket);
    socket.write(`${formatHead('POST', '/import-events', AUTHORIZATION, FORM, 'content-length: 90000')}data=`);
    expect(await response).toMatch(/^HTTP\/1\.1 408 /);
    expect((await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 0/);
  });

  it('without a secret is limited to 256 KiB, outside the total limit of others', async () => {
    const server = await start();
    server.services.result = [];
    const announce = (bytes: number) =>
      `${formatHead('POST', '/api/2.0/funnels/list/', FORM, `content-length: ${bytes}`, 'connection: close')}a`;
    const large = await connect(server);
    const refused = readAll(large);
    large.write(announce(1024 * 1024));
    expect(await refused).toMatch(/^HTTP\/1\.1 413 .*larger than 256 KiB/s);
    const sockets = await Promise.all(Array.from({ length: 64 }, () => connect(server)));
    for (const socket of sockets) socket.write(announce(256 * 1024));
    for (let times = 0; times < 5; times++)
      expect((await server.sendForm('/api/2.0/events/names', { limit: '5' })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('of one project leaves room for other projects', async () => {
    const server = await start({ limits });
    await server.sendForm(VERSIONS, { token: TOKEN });
    const authorization = `authorization: ${encodeBasic(DATASET_SECRET)}`;
    const head = formatHead('POST', '/import-events', authorization, FORM, 'content-length: 90000');
    const unfinished = `${head}data=${'x'.repeat(80_000)}`;
    const sockets = await Promise.all(Array.from({ length: 8 }, () => connect(server)));
    for (const socket of sockets) socket.write(unfinished);
    // Only two of eight fit: a third would leave less for others than the project uses.
    await expect.poll(async () => (await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 160010\n/);
    const batch = { ...fields, data: 'x'.repeat(90_000) };
    expect((await server.sendForm('/import-events', batch)).status).toBe(503);
    expect((await server.sendForm('/import-events', batch, { secret: OTHER_SECRET })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('counts against the total limit until its import ends, even if the client disconnects', async () => {
    const server = await start({ limits });
    await server.sendForm(VERSIONS, { token: TOKEN });
    let release = () => {};
    server.datasets.gate = new Promise((resolve) => {
      release = resolve;
    });
    const socket = await connect(server);
    const body = `dataset_id=shop&dataset_version=v1&data=${'x'.repeat(10_000)}`;
    const post = formatHead('POST', '/import-events', AUTHORIZATION, FORM, `content-length: ${body.length}`) + body;
    socket.write(post.repeat(3));
    await expect.poll(async () => (await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 30\d\d\d/);
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
    expect((await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 30\d\d\d/);
    release();
    await expect.poll(async () => (await server.request('/metrics')).text).toMatch(/onwhere_body_bytes 0/);
  });

  it('is refused with 10,000 fields or values', async () => {
    const server = await start();
    const manyFields = Array.from({ length: 10_000 }, (_, index) => `a${index}=1`).join('&');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await server.request(VERSIONS, { method: 'POST', headers, body: manyFields });
    expect([form.status, JSON.parse(form.text)]).toEqual([400, { error: 'The form has over 1000 fields' }]);
    const bodies = [
      `{"token":${'['.repeat(1_000_000)}`,
      `{"token":[${'0,'.repeat(1_000_000)}0]}`,
      `{"token":${'{"a":'.repeat(1_000_000)}`,
    ];
    for (const body of bodies) {
      const json = await server.request(VERSIONS, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect([json.status, JSON.parse(json.text)]).toEqual([
        400,
        { error: 'The JSON body has more than 10000 values' },
      ]);
    }
  });

  it('is refused with deeply nested JSON, in the error format of the endpoint', async () => {
    const server = await start();
    const headers = { 'content-type': 'application/json' };
    const body = `{"event":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const error = 'The JSON body is nested more than 20 levels deep';
    for (const secret of [null, SECRET]) {
      for (const path of ['/api/2.0/events/names', '/api/2.0/funnels/list/', '/api/2.0/engage']) {
        const response = await server.request(path, { method: 'POST', headers, body, secret });
        expect([response.status, JSON.parse(response.text)]).toEqual([400, { error, request: path }]);
      }
    }
    const version = await server.request(VERSIONS, { method: 'POST', headers, body });
    expect([version.status, JSON.parse(version.text)]).toEqual([400, { error }]);
  });

  it('is ignored in a GET request', async () => {
    const server = await start();
    const response = await server.sendForm(
      `${VERSIONS}?token=${TOKEN}`,
      { token: 'x'.repeat(1000) },
      { method: 'GET' },
    );
    expect(response.status).toBe(200);
  });
});

describe('a query string', () => {
  it('can be 128 KiB long', async () => {
    const server = await start();
    server.services.result = [];
    const path = '/api/2.0/events/names?unknown=';
    const response = await server.request(path.padEnd(128 * 1024, 'x'));
    expect([response.status, response.text]).toEqual([200, '[]']);
  });
});

describe('a connection that breaks the rules of HTTP', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await RunningServer.start();
  });

  afterAll(() => stop(server));

  /** Sends a text, and returns the response, and how often its status was logged and counted since. */
  const send = async (text: string, status: number) => {
    const logged = server.log.length;
    const before = await countUnread(status);
    const socket = await connect(server);
    const response = readAll(socket);
    socket.write(text);
    const [headers = '', body = ''] = (await response).split('\r\n\r\n');
    expect(headers.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(server.log.slice(logged).filter((line) => JSON.parse(line).status === status)).toHaveLength(1);
    return { body: JSON.parse(body), counted: (await countUnread(status)) - before };
  };

  const countUnread = async (status: number) => {
    const counter = `onwhere_requests_total\\{method="none",route="none",status="${status}"\\} (\\d+)`;
    return Number(new RegExp(counter).exec((await server.request('/metrics')).text)?.[1] ?? 0);
  };

  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
    ['an invalid length', formatHead('POST', '/import-events', 'content-length: x'), 400],
    ['two lengths', formatHead('POST', '/import-events', 'content-length: 1', 'transfer-encoding: chunked'), 400],
    ['a folded header', formatHead('GET', '/healthz', 'a: b\r\n\tc\u0001'), 400],
    ['headers that are too long', formatHead('GET', '/healthz', `a: ${'b'.repeat(150_000)}`), 431],
    ['another version of HTTP', 'GET /healthz HTTP/3.0\r\nhost: x\r\n\r\n', 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an invalid method', 'get /healthz HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a CONNECT request', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ['a path that is too long', formatHead('GET', `/${'b'.repeat(150_000)}`), 431],
  ])('gets an error and is closed after %s', async (_, text, status) => {
    const { body, counted } = await send(text, status);
    expect([Object.keys(body), counted]).toEqual([['error'], 1]);
  });

  it.each([
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['two hosts', formatHead('GET', '/healthz', 'host: other', 'connection: close'), 400],
    ['no host and an invalid path', 'GET /%zz HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['an expectation', formatHead('GET', '/healthz', 'expect: a miracle', 'connection: close'), 417],
    [
      'an expectation in an import',
      formatHead('POST', '/import-events?verbose=1', 'expect: x', 'connection: close'),
      417,
    ],
    ['an expectation in a query', formatHead('GET', '/api/2.0/engage', 'expect: x', 'connection: close'), 417],
    [
      'an upgrade to another protocol',
      formatHead('GET', '/nothing', 'connection: upgrade, close', 'upgrade: websocket'),
      404,
    ],
    ['a method that is not allowed', formatHead('TRACE', '/healthz', 'connection: close'), 405],
    ['no host over HTTP/1.0', 'GET /nothing HTTP/1.0\r\n\r\n', 404],
  ])('gets an error for a request with %s', async (_, text, status) => {
    const { body, counted } = await send(text, status);
    expect([body.error, counted]).toEqual([expect.stringMatching(/./), 0]);
  });
});

describe('a connection', () => {
  it('serves several requests in sequence', async () => {
    const server = await start();
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    for (let times = 0; times < 5; times++) expect((await server.request('/healthz', { agent })).status).toBe(200);
    agent.destroy();
  });

  it('serves pipelined requests', async () => {
    const server = await start();
    const socket = await connect(server);
    const responses = readAll(socket);
    const get = formatHead('GET', `${VERSIONS}?token=${TOKEN}`, AUTHORIZATION);
    const last = formatHead('GET', '/nothing', 'connection: close');
    socket.write(`${get}${formatHead('POST', '/import-events', 'content-length: 3')}abc${get}${last}`);
    expect([...(await responses).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '401',
      '200',
      '404',
    ]);
  });

  it.each([
    ['nothing', '', /^$/],
    ['half a TLS handshake', '\u0016\u0003', /^$/],
    ['half a request in plain HTTP', 'GET /heal', /^HTTP\/1\.1 408 /],
  ])('is closed after a timeout if it sends %s', async (_, text, expected) => {
    const server = await start({ limits: { headersMs: 100 } });
    const socket = await server.connect();
    const response = readAll(socket);
    socket.write(text);
    expect(await response).toMatch(expected);
  });

  const headersMs = 300;

  /** Opens a TLS connection. Tries again if a busy machine needs longer than {@link headersMs} for the handshake. */
  const connectInTime = (server: RunningServer) => eventually(() => connect(server));

  it('gets an error and is closed if it is silent after the TLS handshake', async () => {
    const server = await start({ limits: { headersMs } });
    expect(await readAll(await connectInTime(server))).toMatch(/^HTTP\/1\.1 408 .*"error"/s);
  });

  it('gets an error and is closed if a body arrives too slowly', async () => {
    const server = await start({ limits: { headersMs, requestMs: headersMs } });
    const socket = await connectInTime(server);
    const response = readAll(socket);
    socket.write(formatHead('POST', '/import-events', AUTHORIZATION, FORM, 'content-length: 1000'));
    const timer = setInterval(() => socket.write('x'), 20);
    expect(await response).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(timer);
  });

  it('does not block others by sending nothing, even if there are 200', async () => {
    const server = await start({ limits: { headersMs: 100_000 } });
    const silent = await Promise.all(Array.from({ length: 200 }, () => server.connect()));
    expect((await server.sendForm(VERSIONS, { token: TOKEN })).status).toBe(200);
    expect(silent.filter(({ closed }) => closed)).toEqual([]);
    for (const socket of silent) socket.destroy();
  });

  it('is closed if it sends nothing, even if there are 200', async () => {
    const server = await start({ limits: { headersMs: 500 } });
    const silent = await Promise.all(Array.from({ length: 200 }, () => server.connect()));
    expect(new Set(await Promise.all(silent.map(readAll)))).toEqual(new Set(['']));
  });

  it('is closed if the client does not read the responses', async () => {
    const server = await start({ limits: { headersMs, requestMs: headersMs, connections: 1 } });
    const socket = (await connectInTime(server)).pause();
    socket.on('error', () => undefined).write(formatHead('GET', '/openapi.json').repeat(2000));
    expect(await readAll(await server.connect())).toBe('');
    await expect.poll(() => isAccepting(server)).toBe(true);
    socket.destroy();
  });

  it.each([
    ['in total', { connections: 3 }],
    ['from one address', { connectionsPerAddress: 3 }],
  ])('is closed if it has been idle longest and there are too many %s', async (_, limits) => {
    const server = await start({ limits });
    const idle = await connect(server);
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    expect((await server.request('/healthz', { agent })).status).toBe(200);
    const used = await connect(server);
    idle.write(formatHead('GET', '/healthz'));
    await once(idle, 'data');
    // The connection of the agent has been idle since its response, the third since it was opened.
    const closed = once(used, 'close');
    const all = [await connect(server)];
    expect((await server.request('/healthz', { agent })).status).toBe(200);
    all.push(await connect(server));
    await closed;
    for (const socket of [idle, ...all]) socket.destroy();
    agent.destroy();
  });

  it('is not closed for a new one while it serves a request', async () => {
    const server = await start({ limits: { connections: 1 } });
    server.services.result = () => new Promise(() => undefined);
    const busy = await connect(server);
    busy.write(formatHead('GET', '/api/2.0/events/names', AUTHORIZATION));
    await expect.poll(() => server.services.calls.length).toBe(1);
    expect(await readAll(await server.connect())).toBe('');
    expect(busy.closed).toBe(false);
    busy.destroy();
    await expect.poll(() => isAccepting(server)).toBe(true);
  });
});

/** Returns whether a server accepts another connection. */
function isAccepting(server: RunningServer): Promise<boolean> {
  return server.request('/healthz').then(
    ({ status }) => status === 200,
    () => false,
  );
}
