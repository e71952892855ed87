import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RemoteApi } from '../../src/cli/api/remote-api.ts';
import { EXIT } from '../../src/cli/exit.ts';
import { loadOwnCertificate } from '../../src/service/server/connections/certificate.ts';

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly text: string;
}

let folder: string;
let ca: string;
let plain: Server;
let secure: Server;
let received: { url: string; authorization: string | undefined; body: string } | undefined;
let reply: Reply;

const urlOf = (server: Server, scheme: string) => `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;

const listen: http.RequestListener = async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  received = { url: `${request.method} ${request.url}`, authorization: request.headers.authorization, body };
  const { status, type = 'application/json; charset=utf-8', headers, text } = reply;
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-remote-'));
  const certificate = await loadOwnCertificate(folder, 'localhost');
  ca = certificate.cert;
  plain = http.createServer(listen).listen(0, '127.0.0.1');
  secure = https.createServer(certificate, listen).listen(0, '127.0.0.1');
  await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
});
afterAll(async () => {
  plain.close();
  secure.close();
  await rm(folder, { recursive: true });
});

/** Queries a server with a secret; resolves to the error. */
function failureOf(url: string, trusted?: string): Promise<{ message: string; exitCode: number }> {
  const query = new RemoteApi(url, { secret: 's', ca: trusted }).query('/events/', {});
  return query.then(
    (text) => expect.fail(text),
    (error) => error,
  );
}

describe('RemoteApi', () => {
  it('sends the secret and a form, and returns the response unchanged', async () => {
    reply = { status: 200, text: '{"data": 1}\n' };
    const api = new RemoteApi(urlOf(secure, 'https'), { secret: 'top', ca });
    const where = 'properties["a b"] == "é&+%"';
    expect(await api.query('/segmentation/', { event: 'buy', where })).toBe('{"data": 1}\n');
    expect(received?.url).toBe('POST /api/2.0/segmentation/');
    expect(received?.authorization).toBe(`Basic ${btoa('top:')}`);
    expect([...new URLSearchParams(received?.body)]).toEqual(Object.entries({ event: 'buy', where }));
  });

  it('accepts a path prefix and returns CSV', async () => {
    reply = { status: 200, type: 'text/csv; charset=utf-8', text: 'day,buy\r\n' };
    const api = new RemoteApi(`${urlOf(plain, 'http')}/stats`, { secret: 's' });
    expect(await api.query('/events/', {})).toBe('day,buy\r\n');
    expect(received?.url).toBe('POST /stats/api/2.0/events/');
  });

  it('asks for compressed lines, and says if they are broken off', async () => {
    const lines = '{"event":"a","properties":{}}\n'.repeat(50_000);
    const whole = gzipSync(lines);
    let sent = whole.length;
    const server = http.createServer(({ headers }, response) => {
      expect(headers['accept-encoding']).toBe('gzip');
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' });
      response.write(whole.subarray(0, sent), () => (sent === whole.length ? response.end() : response.destroy()));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = urlOf(server, 'http');
    const readLines = async () => {
      const chunks = await new RemoteApi(url, { secret: 's' }).lines('/export', {});
      return text(chunks as AsyncIterable<Uint8Array>);
    };
    expect(await readLines()).toBe(lines);
    sent = whole.length - 10;
    await expect(readLines()).rejects.toThrow(`${url} broke its response off before the end. Its log says why.`);
    server.close();
  });

  it.each([
    [400, 'Invalid parameter: unit', EXIT.usage],
    [400, 'Query Error in selector, there is no "x"', EXIT.expression],
    [400, 'Query Error in action, there is no "x"', EXIT.expression],
    [401, 'The secret is wrong', EXIT.usage],
    [404, 'Invalid endpoint: /api/2.0/x', EXIT.usage],
    [500, 'It broke', EXIT.data],
  ])('quotes the error of a response with %i and %j', async (status, error, code) => {
    reply = { status, text: JSON.stringify({ error, request: '/api/2.0/events/' }) };
    expect(await failureOf(urlOf(plain, 'http'))).toMatchObject({ message: error, exitCode: code });
  });

  it('reports when to retry if the server is busy', async () => {
    reply = { status: 503, headers: { 'retry-after': '7' }, text: '{"error": "Too many queries"}' };
    const failure = { message: 'Too many queries (retry in 7 s)', exitCode: EXIT.data };
    expect(await failureOf(urlOf(plain, 'http'))).toMatchObject(failure);
  });

  it.each([
    { status: 200, type: 'text/html', text: '<html>' },
    { status: 302, headers: { location: 'https://elsewhere.example/' }, text: '' },
    { status: 502, text: '{}' },
  ])('recognizes a server that is not onwhere: %j', async (other) => {
    reply = other;
    const url = urlOf(plain, 'http');
    const message = `${url} does not look like an onwhere server: HTTP status ${other.status}`;
    expect(await failureOf(url)).toMatchObject({ message, exitCode: EXIT.data });
  });

  it('trusts a server only by its certificate', async () => {
    const url = urlOf(secure, 'https');
    const { message, exitCode } = await failureOf(url);
    expect(message).toContain(`The certificate of ${url} is self-signed. To trust it, pass its file with --ca`);
    expect(exitCode).toBe(EXIT.data);
    const other = (await loadOwnCertificate(join(folder, 'other'), 'localhost')).cert;
    expect((await failureOf(url, other)).message).toContain('is self-signed');
  });

  it('explains why a connection fails', async () => {
    const gone = http.createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const url = urlOf(gone, 'https');
    gone.close();
    await once(gone, 'close');
    expect((await failureOf(url)).message).toBe(
      `Connection refused by ${url}. Check that the server is running and the port is right.`,
    );
    const spoken = urlOf(plain, 'https');
    expect((await failureOf(spoken)).message).toBe(`${spoken} does not speak TLS. Is it a plain HTTP server?`);
    const broken = http.createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    expect((await failureOf(urlOf(broken, 'http'))).message).toMatch(/^No response from .*: socket hang up$/);
    broken.close();
  });

  it.each(['localhost:8443', 'ftp://localhost', 'nonsense', 'https://secret@localhost:8443'])(
    'refuses the URL %s',
    (address) => {
      expect(() => new RemoteApi(address, { secret: 's' })).toThrow(/Pass a URL such as https:\/\/localhost:8443/);
    },
  );

  it('never sends a secret over plain HTTP to another machine', () => {
    expect(() => new RemoteApi('http://example.com', { secret: 's' })).toThrow(
      'Use https for example.com: plain HTTP would expose the secret',
    );
  });
});
