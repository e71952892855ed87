import { once } from 'node:events';
import https from 'node:https';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DATASET_SECRET, OTHER_SECRET, SECRET, TOKEN } from './fake-datasets.ts';
import { basic, everything, RunningServer } from './running-server.ts';
import { stopDocumented } from './stop-documented.ts';

const VERSIONS = '/datasets/shop/versions';
const FORM = 'content-type: application/x-www-form-urlencoded';
const AUTHORIZATION = `authorization: ${basic(SECRET)}`;
const running: RunningServer[] = [];

async function start(options: Parameters<typeof RunningServer.start>[0] = {}): Promise<RunningServer> {
  const server = await RunningServer.start(options);
  running.push(server);
  return server;
}

/** After all that was asked of it, a server works as before, and has answered as it is documented. */
async function stop(server: RunningServer): Promise<void> {
  expect((await server.ask('/healthz')).status).toBe(200);
  await stopDocumented(server);
}

afterEach(async () => {
  for (const server of running.splice(0)) await stop(server);
});

/** A connection within TLS, below HTTP. */
async function connect(server: RunningServer): Promise<TLSSocket> {
  const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

/** The headers of a request, as they go over the wire. */
function head(method: string, path: string, ...headers: string[]): string {
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
  ])('with the dataset %s has none: %i', async (id, status) => {
    const answer = await server.ask(`/datasets/${id}/versions?token=${TOKEN}`);
    expect([answer.status, Object.keys(JSON.parse(answer.text))]).toEqual([status, ['error']]);
    expect(answer.text).not.toMatch(/\p{Cc}/u);
  });

  it('with such a version has none', async () => {
    for (const id of ['..%2f', '%00', 'a'.repeat(10_000)]) {
      expect((await server.ask(`${VERSIONS}/${id}?token=${TOKEN}`)).status).toBe(400);
    }
  });

  it.each(['/', '//', '/datasets', '/Datasets/shop/versions', '/import-groups', '/api/2.0/x', '/healthz/x', '/\u007f'])(
    'that leads nowhere says so: %s',
    async (path) => {
      const answer = await server.ask(encodeURI(path), { secret: null });
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([404, `Invalid endpoint: ${encodeURI(path)}`]);
    },
  );

  it('takes its own methods only, and says which', async () => {
    const asked = [
      ['PUT', VERSIONS, 'GET, HEAD, POST'],
      ['OPTIONS', `${VERSIONS}/`, 'GET, HEAD, POST'],
      ['POST', `${VERSIONS}/v1`, 'DELETE, GET, HEAD, PATCH'],
      ['PROPFIND', '/import-events', 'POST'],
      ['GET', '/import-people', 'POST'],
      ['TRACE', '/healthz', 'GET, HEAD'],
    ] as const;
    for (const [method, path, allow] of asked) {
      const answer = await server.ask(path, { method, secret: null });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
    }
  });
});

describe('a body', () => {
  const limits = { bodyBytes: 100_000, bodyBytesAtOnce: 400_000, discardMs: 200 };
  const fields = { dataset_id: 'shop', dataset_version: 'v1', verbose: '1' };

  it('may have as many bytes as there is room for', async () => {
    const server = await start({ limits });
    await server.form(VERSIONS, { token: TOKEN });
    const rest = new URLSearchParams({ ...fields, data: '' }).toString().length;
    const most = await server.form('/import-events', { ...fields, data: 'x'.repeat(100_000 - rest) });
    expect(most.text).toBe('{"error":null,"status":1}');
    const more = await server.form('/import-events?verbose=1', { ...fields, data: 'x'.repeat(100_001 - rest) });
    expect([more.status, JSON.parse(more.text).status]).toEqual([413, 0]);
    const most2 = await server.form('/import-events', { ...fields, data: 'x'.repeat(50_000_000) });
    expect([most2.status, most2.text]).toEqual([413, '0']);
  });

  it('without an end is cut off', async () => {
    const server = await start({ limits });
    const socket = await connect(server);
    const answer = everything(socket);
    socket.write(head('POST', '/import-events', AUTHORIZATION, FORM, 'transfer-encoding: chunked'));
    const chunk = `2710\r\n${'x'.repeat(10_000)}\r\n`;
    const timer = setInterval(() => socket.write(chunk), 1);
    expect(await answer).toMatch(/^HTTP\/1\.1 413 .*\r\n\r\n0$/s);
    clearInterval(timer);
  });

  it('in chunks of a byte is read', async () => {
    const server = await start();
    await server.form(VERSIONS, { token: TOKEN });
    const socket = await connect(server);
    const answer = everything(socket);
    socket.write(
      head('POST', '/import-events', AUTHORIZATION, FORM, 'transfer-encoding: chunked', 'connection: close'),
    );
    const body = `dataset_id=shop&dataset_version=v1&data=${'y'.repeat(200_000)}`;
    socket.write(`${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n1$/s);
    expect(server.datasets.imported[0]?.data.length).toBe(200_000);
  });

  it('waits its turn where too many are under way', async () => {
    const server = await start({ limits });
    await server.form(VERSIONS, { token: TOKEN });
    let open = () => {};
    server.datasets.gate = new Promise((resolve) => {
      open = resolve;
    });
    const data = 'x'.repeat(90_000);
    const underWay = [
      server.form('/import-events', { ...fields, data }),
      server.form('/import-events', { ...fields, data }),
    ];
    await expect.poll(async () => (await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 180\d\d\d/);
    const refused = await server.form('/import-events', { ...fields, data });
    expect([refused.status, refused.headers['retry-after'], refused.text]).toEqual([503, '1', '0']);
    open();
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await server.form('/import-events', { ...fields, data })).status).toBe(200);
    expect((await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 0/);
  });

  it('that breaks off gives back its room', async () => {
    const server = await start({ limits });
    for (let times = 0; times < 5; times++) {
      const socket = await connect(server);
      socket.write(`${head('POST', '/import-events', AUTHORIZATION, FORM, 'content-length: 90000')}data=`);
      await expect.poll(async () => (await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 5\n/);
      socket.destroy();
      await expect.poll(async () => (await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 0/);
    }
  });

  it('that comes too slowly is given up', async () => {
    const server = await start({ limits: { ...limits, slowMs: 50, minBytesPerSecond: 1e6 } });
    const socket = await connect(server);
    const answer = everything(socket);
    socket.write(`${head('POST', '/import-events', AUTHORIZATION, FORM, 'content-length: 90000')}data=`);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    expect((await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 0/);
  });

  it('of nobody known is small, and takes no room of others', async () => {
    const server = await start();
    server.services.result = [];
    const announce = (bytes: number) =>
      `${head('POST', '/api/2.0/funnels/list/', FORM, `content-length: ${bytes}`, 'connection: close')}a`;
    const large = await connect(server);
    const refused = everything(large);
    large.write(announce(1024 * 1024));
    expect(await refused).toMatch(/^HTTP\/1\.1 413 .*larger than 256 KiB/s);
    const sockets = await Promise.all(Array.from({ length: 64 }, () => connect(server)));
    for (const socket of sockets) socket.write(announce(256 * 1024));
    for (let times = 0; times < 5; times++)
      expect((await server.form('/api/2.0/events/names', { limit: '5' })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('of one project leaves room for those of others', async () => {
    const server = await start({ limits });
    await server.form(VERSIONS, { token: TOKEN });
    const authorization = `authorization: ${basic(DATASET_SECRET)}`;
    const begun = `${head('POST', '/import-events', authorization, FORM, 'content-length: 90000')}data=${'x'.repeat(80_000)}`;
    const sockets = await Promise.all(Array.from({ length: 8 }, () => connect(server)));
    for (const socket of sockets) socket.write(begun);
    // Two of eight have as much as is left for others.
    await expect.poll(async () => (await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 160010\n/);
    const batch = { ...fields, data: 'x'.repeat(90_000) };
    expect((await server.form('/import-events', batch)).status).toBe(503);
    expect((await server.form('/import-events', batch, { secret: OTHER_SECRET })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('that is worked on keeps its room when its connection is gone, until the work is done', async () => {
    const server = await start({ limits });
    await server.form(VERSIONS, { token: TOKEN });
    let open = () => {};
    server.datasets.gate = new Promise((resolve) => {
      open = resolve;
    });
    const socket = await connect(server);
    const body = `dataset_id=shop&dataset_version=v1&data=${'x'.repeat(10_000)}`;
    const post = head('POST', '/import-events', AUTHORIZATION, FORM, `content-length: ${body.length}`) + body;
    socket.write(post.repeat(3));
    await expect.poll(async () => (await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 30\d\d\d/);
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
    expect((await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 30\d\d\d/);
    open();
    await expect.poll(async () => (await server.ask('/metrics')).text).toMatch(/onwhere_body_bytes 0/);
  });

  it('with 10,000 fields or values is refused', async () => {
    const server = await start();
    const fieldsOf = Array.from({ length: 10_000 }, (_, index) => `a${index}=1`).join('&');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await server.ask(VERSIONS, { method: 'POST', headers, body: fieldsOf });
    expect([form.status, JSON.parse(form.text)]).toEqual([400, { error: 'The form has over 1000 fields' }]);
    const bodies = [
      `{"token":${'['.repeat(5_000_000)}`,
      `{"token":[${'0,'.repeat(5_000_000)}0]}`,
      `{"token":${'{"a":'.repeat(5_000_000)}`,
    ];
    for (const body of bodies) {
      const json = await server.ask(VERSIONS, {
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

  it('with JSON in JSON, level by level, is refused as its interface refuses', async () => {
    const server = await start();
    const headers = { 'content-type': 'application/json' };
    const body = `{"event":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const error = 'The JSON body is nested more than 20 levels deep';
    for (const secret of [null, SECRET]) {
      for (const path of ['/api/2.0/events/names', '/api/2.0/funnels/list/', '/api/2.0/engage']) {
        const answer = await server.ask(path, { method: 'POST', headers, body, secret });
        expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error, request: path }]);
      }
    }
    const version = await server.ask(VERSIONS, { method: 'POST', headers, body });
    expect([version.status, JSON.parse(version.text)]).toEqual([400, { error }]);
  });

  it('of GET is thrown away', async () => {
    const server = await start();
    const answer = await server.form(`${VERSIONS}?token=${TOKEN}`, { token: 'x'.repeat(1000) }, { method: 'GET' });
    expect(answer.status).toBe(200);
  });
});

describe('a query string', () => {
  it('may have 128 KiB', async () => {
    const server = await start();
    server.services.result = [];
    const path = '/api/2.0/events/names?unknown=';
    const answer = await server.ask(path.padEnd(128 * 1024, 'x'));
    expect([answer.status, answer.text]).toEqual([200, '[]']);
  });
});

describe('a connection', () => {
  it('may carry many requests, one behind the other', async () => {
    const server = await start();
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    for (let times = 0; times < 5; times++) expect((await server.ask('/healthz', { agent })).status).toBe(200);
    agent.destroy();
  });

  it('may carry requests before they are answered', async () => {
    const server = await start();
    const socket = await connect(server);
    const answers = everything(socket);
    const get = head('GET', `${VERSIONS}?token=${TOKEN}`, AUTHORIZATION);
    const last = head('GET', '/nothing', 'connection: close');
    socket.write(`${get}${head('POST', '/import-events', 'content-length: 3')}abc${get}${last}`);
    expect([...(await answers).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '401',
      '200',
      '404',
    ]);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a length that is none', head('POST', '/import-events', 'content-length: x'), 400],
    ['two lengths', head('POST', '/import-events', 'content-length: 1', 'transfer-encoding: chunked'), 400],
    ['a line folded into a header', head('GET', '/healthz', 'a: b\r\n\tc\u0001'), 400],
    ['headers that are too long', head('GET', '/healthz', `a: ${'b'.repeat(150_000)}`), 431],
    ['another version of HTTP', 'GET /healthz HTTP/3.0\r\nhost: x\r\n\r\n', 400],
    ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a method that is none', 'get /healthz HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a request to be a proxy', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ['a path that is too long', head('GET', `/${'b'.repeat(150_000)}`), 431],
  ])('with %s is told so and closed', async (_, text, status) => {
    const server = await start();
    const socket = await connect(server);
    const answer = everything(socket);
    socket.write(text);
    const [headers = '', body = ''] = (await answer).split('\r\n\r\n');
    expect(headers.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(Object.keys(JSON.parse(body))).toEqual(['error']);
    const counted = `onwhere_requests_total{method="none",route="none",status="${status}"} 1`;
    expect((await server.ask('/metrics')).text).toContain(counted);
    expect(server.log.filter((line) => JSON.parse(line).status === status)).toHaveLength(1);
  });

  it.each([
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['no host, to nowhere', 'GET /%zz HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['an expectation', head('GET', '/healthz', 'expect: a miracle', 'connection: close'), 417],
    ['an expectation of an import', head('POST', '/import-events', 'expect: x', 'connection: close'), 417],
    ['an expectation of a query', head('GET', '/api/2.0/engage', 'expect: x', 'connection: close'), 417],
    ['another protocol', head('GET', '/nothing', 'connection: upgrade, close', 'upgrade: websocket'), 404],
    ['another method', head('TRACE', '/healthz', 'connection: close'), 405],
    ['no host by HTTP/1.0', 'GET /nothing HTTP/1.0\r\n\r\n', 404],
  ])('that asks with %s is told so', async (_, text, status) => {
    const server = await start();
    const socket = await connect(server);
    const answer = everything(socket);
    socket.write(text);
    const [headers = '', body = ''] = (await answer).split('\r\n\r\n');
    expect(headers.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(body).error).toMatch(/./);
    expect(server.log.filter((line) => JSON.parse(line).status === status)).toHaveLength(1);
  });

  it.each([
    ['nothing', '', /^$/],
    ['half a greeting of TLS', '\u0016\u0003', /^$/],
    ['half a request in plain HTTP', 'GET /heal', /^HTTP\/1\.1 408 /],
  ])('that sends %s is closed', async (_, text, said) => {
    const server = await start({ limits: { headersMs: 100 } });
    const socket = await server.connect();
    const answer = everything(socket);
    socket.write(text);
    expect(await answer).toMatch(said);
  });

  /** Within which a busy machine agrees on TLS. */
  const headersMs = 2_000;

  it('that is silent within TLS is told so and closed', async () => {
    const server = await start({ limits: { headersMs } });
    expect(await everything(await connect(server))).toMatch(/^HTTP\/1\.1 408 .*"error"/s);
  });

  it('whose body comes too slowly is told so and closed', async () => {
    const server = await start({ limits: { headersMs, requestMs: headersMs } });
    const socket = await connect(server);
    const answer = everything(socket);
    socket.write(head('POST', '/import-events', AUTHORIZATION, FORM, 'content-length: 1000'));
    const timer = setInterval(() => socket.write('x'), 20);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(timer);
  });

  it('that sends nothing does not hinder others, were there 200 of them', async () => {
    const server = await start({ limits: { headersMs: 100_000 } });
    const silent = await Promise.all(Array.from({ length: 200 }, () => server.connect()));
    expect((await server.form(VERSIONS, { token: TOKEN })).status).toBe(200);
    expect(silent.filter(({ closed }) => closed)).toEqual([]);
    for (const socket of silent) socket.destroy();
  });

  it('that sends nothing does not stay, were there 200 of them', async () => {
    const server = await start({ limits: { headersMs: 500 } });
    const silent = await Promise.all(Array.from({ length: 200 }, () => server.connect()));
    expect(new Set(await Promise.all(silent.map(everything)))).toEqual(new Set(['']));
  });

  it('whose answers are not read is closed', async () => {
    const server = await start({ limits: { headersMs, requestMs: headersMs, connections: 1 } });
    const socket = (await connect(server)).pause();
    socket.on('error', () => undefined).write(head('GET', '/openapi.json').repeat(2000));
    expect(await everything(await server.connect())).toBe('');
    await expect.poll(() => isTaken(server)).toBe(true);
    socket.destroy();
  });

  it.each([
    ['at all', { connections: 3 }],
    ['from an address', { connectionsPerAddress: 3 }],
  ])('that has idled the longest is closed where there are too many %s', async (_, limits) => {
    const server = await start({ limits });
    const idle = await connect(server);
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    expect((await server.ask('/healthz', { agent })).status).toBe(200);
    const used = await connect(server);
    idle.write(head('GET', '/healthz'));
    await once(idle, 'data');
    // The connection of the agent has been idle since its answer, the third since it was made.
    const closed = once(used, 'close');
    const all = [await connect(server)];
    expect((await server.ask('/healthz', { agent })).status).toBe(200);
    all.push(await connect(server));
    await closed;
    for (const socket of [idle, ...all]) socket.destroy();
    agent.destroy();
  });

  it('is not closed for others while a request is under way', async () => {
    const server = await start({ limits: { connections: 1 } });
    server.services.result = () => new Promise(() => undefined);
    const busy = await connect(server);
    busy.write(head('GET', '/api/2.0/events/names', AUTHORIZATION));
    await expect.poll(() => server.services.asked.length).toBe(1);
    expect(await everything(await server.connect())).toBe('');
    expect(busy.closed).toBe(false);
    busy.destroy();
    await expect.poll(() => isTaken(server)).toBe(true);
  });
});

/** Whether a server takes another connection. */
function isTaken(server: RunningServer): Promise<boolean> {
  return server.ask('/healthz').then(
    ({ status }) => status === 200,
    () => false,
  );
}
