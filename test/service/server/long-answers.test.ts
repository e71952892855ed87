import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FileAnswer, StoredAnswer } from '../../../src/service/analytics/execution/stored-answer.ts';
import { signParameters } from '../../../src/service/server/access/signed-access.ts';
import { SECRET, TOKEN } from './fake-datasets.ts';
import { encodeBasic, RunningServer } from './running-server.ts';

const PATH = '/api/2.0/events?event=["a"]&from_date=2024-02-01&to_date=2024-02-01';

let server: RunningServer;
/** The stored responses that the server has opened. */
let opened: FileAnswer[];
beforeEach(async () => {
  server = await RunningServer.start();
  opened = [];
  const open = StoredAnswer.prototype.open;
  vi.spyOn(StoredAnswer.prototype, 'open').mockImplementation(async function (this: StoredAnswer) {
    const response = await open.call(this);
    opened.push(response);
    return response;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

/** Returns a result with `count` series. */
function createSeries(name: string, count: number) {
  const series = Array.from({ length: count }, (_, index) => ({ name: `${name}${index}`, values: [index] }));
  return { buckets: ['2024-02-01'], series };
}

/** Sends a query and does not read the response. */
async function sendWithoutReading(unit: string): Promise<TLSSocket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.pause();
  // The unit makes each query different, so that none is answered from the cache.
  socket.write(`GET ${PATH}&unit=${unit} HTTP/1.1\r\nhost: x\r\nauthorization: ${encodeBasic(SECRET)}\r\n\r\n`);
  return socket;
}

it('long responses stay on disk until the client reads them', async () => {
  server.services.result = createSeries('x'.repeat(100_000), 400);
  const sockets = await Promise.all(['day', 'week', 'month', 'hour'].map(sendWithoutReading));
  await expect.poll(() => opened.length, { timeout: 60_000 }).toBe(4);
  const streams = opened.map(({ stream }) => stream as typeof stream & { readonly bytesRead: number });
  // The operating system buffers a few MB per connection.
  await expect.poll(() => streams.every(({ bytesRead }) => bytesRead > 0)).toBe(true);
  for (let times = 0; times < 20; times++) expect((await server.request('/healthz')).status).toBe(200);
  for (const [index, { bytesRead }] of streams.entries()) {
    expect(opened[index]?.bytes).toBeGreaterThan(40_000_000);
    expect(bytesRead).toBeLessThan(16 * 2 ** 20);
  }
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => streams.every(({ destroyed }) => destroyed)).toBe(true);
}, 120_000);

it('long responses are the same with and without a callback', async () => {
  // Characters that JavaScript, JSON, CSV and UTF-8 encode differently.
  server.services.result = createSeries('"é\u2028𝄞\n'.repeat(2_000), 200);
  for (const format of ['json', 'csv']) {
    const { text } = await server.request(`${PATH}&format=${format}`);
    const query = { ...Object.fromEntries(new URL(PATH, 'https://x').searchParams), format };
    const signed = { ...query, api_key: TOKEN, expire: '4102444800' };
    const parameters = new URLSearchParams({ ...signed, sig: signParameters(signed, SECRET), callback: 'page.show' });
    const called = await server.request(`/api/2.0/events?${parameters}`, { secret: null });
    expect(called.text).not.toContain('\u2028');
    let passed: unknown;
    const page = { show: (response: unknown) => (passed = response) };
    new Function('page', called.text)(page);
    expect(typeof passed === 'string' ? passed === text : JSON.stringify(passed) === text).toBe(true);
    const json = format === 'json' ? JSON.parse(text).data.values : undefined;
    if (json !== undefined) expect(Object.keys(json)).toHaveLength(200);
  }
  expect(opened).toHaveLength(4);
});

it('long responses are refused while too many of their bytes are being sent', async () => {
  const small = await RunningServer.start({ limits: { answerFileBytesAtOnce: 3_000_000 } });
  small.services.result = createSeries('x'.repeat(100_000), 20);
  const refused = await small.request(PATH);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
  expect(opened[0]?.stream.destroyed).toBe(true);
  small.services.result = createSeries('x'.repeat(100_000), 12);
  for (let times = 0; times < 3; times++) expect((await small.request(PATH)).status).toBe(200);
  await small.stop();
});
