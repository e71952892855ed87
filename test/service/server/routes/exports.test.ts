import { once } from 'node:events';
import https from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signParameters } from '../../../../src/service/server/access/signed-access.ts';
import { eventually } from '../../../eventually.ts';
import { SECRET, TOKEN } from '../fake-datasets.ts';
import { encodeBasic, RunningServer, readAll } from '../running-server.ts';

const PATH = '/api/2.0/export';
const LINE = `{"event":"${'x'.repeat(100_000)}","properties":{}}\n`;

let server: RunningServer;
beforeEach(async () => {
  server = await RunningServer.start();
});
afterEach(() => server.stop());

/** The number of lines that were taken from the running export, and whether it was closed. */
interface Taken {
  count: number;
  isClosed: boolean;
}

/** Makes the next exports have many lines. */
function exportMany(lines: number, fail?: Error): Taken {
  const taken = { count: 0, isClosed: false };
  server.services.result = async function* () {
    try {
      for (; taken.count < lines; taken.count++) yield LINE;
      if (fail !== undefined) throw fail;
    } finally {
      taken.isClosed = true;
    }
  };
  return taken;
}

async function connectTo(port: number, version = '1.1'): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.write(`GET ${PATH} HTTP/${version}\r\nhost: x\r\nauthorization: ${encodeBasic(SECRET)}\r\n\r\n`);
  return socket;
}

describe('an export', () => {
  it.each(['gzip', 'br, GZIP;q=0.5', '*'])('is compressed for %j', async (encoding) => {
    exportMany(20);
    const { body, encoding: used } = await fetchBytes(encoding);
    expect([used, gunzipSync(body).toString()]).toEqual(['gzip', LINE.repeat(20)]);
  });

  it.each(['', 'identity', 'gzip;q=0', 'br'])('is not compressed for %j', async (encoding) => {
    exportMany(20);
    const { body, encoding: used } = await fetchBytes(encoding);
    expect([used, body.toString()]).toEqual([undefined, LINE.repeat(20)]);
  });

  it('reads on only as fast as the client, and stops when it goes away', async () => {
    const taken = exportMany(1_000);
    const socket = await connectTo(server.port);
    socket.pause();
    await expect.poll(() => taken.count).toBeGreaterThan(0);
    for (let times = 0; times < 20; times++) expect((await server.request('/healthz')).status).toBe(200);
    // The operating system buffers a few MB.
    expect(taken.count).toBeLessThan(300);
    socket.destroy();
    await expect.poll(() => taken.isClosed).toBe(true);
  });

  it('ends when a client reads nothing for too long', async () => {
    const strict = await RunningServer.start({ limits: { requestMs: 500, headersMs: 500 } });
    const taken = exportMany(1_000);
    strict.services.result = server.services.result;
    // A busy machine may need longer for a TLS handshake.
    const socket = await eventually(() => connectTo(strict.port));
    socket.on('error', () => undefined).pause();
    await expect.poll(() => taken.isClosed).toBe(true);
    socket.destroy();
    await strict.stop();
  });

  it.each(['identity', 'gzip'])('breaks off, and is logged, if it fails in the middle (%s)', async (encoding) => {
    exportMany(20, new Error('it broke'));
    await expect(fetchBytes(encoding)).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    await expect.poll(() => server.log.join('')).toMatch(/it broke.*"msg":"export failed"/);
  });

  it('breaks off when the server stops', async () => {
    const strict = await RunningServer.start({ limits: { stopMs: 50 } });
    const taken = exportMany(1_000);
    strict.services.result = server.services.result;
    const socket = await connectTo(strict.port);
    socket.on('error', () => undefined).pause();
    await expect.poll(() => taken.count).toBeGreaterThan(0);
    await strict.stop();
    await expect.poll(() => taken.isClosed).toBe(true);
    socket.destroy();
  });

  it('is refused while too many are being sent', async () => {
    const small = await RunningServer.start({ limits: { answerFileBytesAtOnce: 1_500 } });
    small.services.result = ['x'];
    const { status, headers } = await small.request(PATH);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    await small.stop();
  });

  it('is refused with HTTP/1.0, HEAD, a callback and reversed dates', async () => {
    server.services.result = [];
    const old = await connectTo(server.port, '1.0');
    expect(await readAll(old)).toMatch(/^HTTP\/1\.\d 400 .*An export needs HTTP\/1\.1/s);
    expect((await server.request(PATH, { method: 'HEAD' })).status).toBe(405);
    const signed = { api_key: TOKEN, expire: '4102444800' };
    const parameters = new URLSearchParams({ ...signed, sig: signParameters(signed, SECRET), callback: 'show' });
    const called = await server.request(`${PATH}?${parameters}`, { secret: null });
    expect(called.text).toContain('show({"error":"Invalid parameter: callback. A response of many lines');
    const reversed = await server.request(`${PATH}?from_date=2025-02-01&to_date=2025-01-31`);
    expect([reversed.status, reversed.text]).toEqual([400, expect.stringContaining('Invalid parameter: to_date')]);
    expect(server.services.calls).toEqual([]);
  });
});

async function fetchBytes(encoding: string): Promise<{ readonly body: Buffer; readonly encoding: unknown }> {
  const headers = { authorization: encodeBasic(SECRET), ...(encoding !== '' && { 'accept-encoding': encoding }) };
  const options = {
    host: '127.0.0.1',
    port: server.port,
    path: PATH,
    headers,
    rejectUnauthorized: false,
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const request = https.get(options, (message) => {
      const parts: Buffer[] = [];
      message.on('data', (part) => parts.push(part)).on('error', reject);
      message.on('end', () => {
        resolve({ body: Buffer.concat(parts), encoding: message.headers['content-encoding'] });
      });
    });
    request.on('error', reject);
  });
}
