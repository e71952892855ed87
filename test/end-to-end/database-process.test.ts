import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, storeWorkerOf } from '../service/store/store-worker-of.ts';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';

const OPEN = { readable: true, writable: true };

/** Two answers to it differ by their `limit` only, so that none is kept for another. */
const asking = (limit: number) =>
  `/api/2.0/segmentation?event=order&from_date=2025-06-01&to_date=2025-06-01&limit=${limit}`;

/** The server, with its database in a process that is stopped or killed, as by a crash or a query that nothing ends. */
describe('a server whose database', () => {
  let folder: TestFolder;
  let server: ServerProcess;
  let client: Client;
  let versionId: string;
  let batches = 0;

  beforeEach(async () => {
    folder = TestFolder.make();
    batches = 0;
    await start('--query-time-limit', '2');
    versionId = (await client.create()).version_id;
    await importBatch();
    await client.setState(versionId, OPEN);
    await client.untilReady(versionId);
  });

  afterEach(async () => {
    await server.kill();
    folder.remove();
  });

  async function start(...options: string[]): Promise<void> {
    server = await ServerProcess.start(folder, ...options);
    client = new Client(folder, server);
  }

  async function importBatch(into = versionId): Promise<void> {
    const events = Array.from({ length: 10 }, () => client.event({ distinct_id: 'u', time: 1_748_779_200 }));
    expect(await client.import('events', into, events)).toBe(true);
    batches++;
  }

  const worker = () => storeWorkerOf(server.pid) as number;
  const metrics = async () => (await client.request('GET', '/metrics')).text();
  const untilRunning = (queries: number) =>
    expect.poll(metrics).toMatch(new RegExp(`^onwhere_queries_running ${queries}$`, 'm'));

  function ask(limit: number, signal?: AbortSignal): Promise<Response> {
    const authorization = `Basic ${Buffer.from(`${folder.secret}:`).toString('base64')}`;
    return fetch(server.address + asking(limit), { headers: { authorization }, ...(signal && { signal }) });
  }

  /** Whether all that was acknowledged is there. */
  async function expectAll(): Promise<void> {
    await client.untilReady(versionId);
    expect(await (await ask(batches)).json()).toMatchObject({
      data: { values: { order: { '2025-06-01': 10 * batches } } },
    });
  }

  /** Sends a query, and waits until it is with a database that stands still. */
  async function askedOfStill(signal?: AbortSignal): Promise<{ readonly answer: Promise<Response> }> {
    process.kill(worker(), 'SIGSTOP');
    const answer = ask(255, signal);
    answer.catch(() => undefined);
    await untilRunning(1);
    return { answer };
  }

  it('crashes fails one query and loses nothing, while versions and imports go on', async () => {
    const { answer } = await askedOfStill();
    const other = (await client.create()).version_id;
    await importBatch(other);
    const crashed = worker();
    process.kill(crashed, 'SIGSEGV');
    process.kill(crashed, 'SIGCONT');
    const failed = await answer;
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await failed.json()).toEqual({
      error: expect.stringMatching(/^The database process ended during the query/),
      request: asking(255),
    });
    batches = 1;
    await importBatch();
    await expectAll();
    await client.setState(other, OPEN);
    [versionId, batches] = [other, 1];
    await expectAll();
    const lines = server.output.split('\n').filter((line) => line.includes('"msg":"database process ended"'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, exit: { pid: crashed, code: null, signal: 'SIGSEGV', reason: 'crashed' } },
    ]);
    expect(await metrics()).toContain('onwhere_background_events_total{kind="database process ended"} 1');
  });

  it('does not end a query at its time limit is killed, and the next query is answered', async () => {
    const { answer } = await askedOfStill();
    const failed = await answer;
    expect(failed.status).toBe(503);
    expect(await failed.text()).toContain('The query takes over 2 seconds');
    await untilRunning(0);
    await expectAll();
    expect(server.output).toMatch(/"reason":"ignored an interrupt"/);
  });

  it('does not end a query whose client is gone is killed, and the next query is answered', async () => {
    const client = new AbortController();
    await askedOfStill(client.signal);
    client.abort();
    await untilRunning(0);
    await expectAll();
  });

  it('has less memory than a query needs answers so, and goes on', async () => {
    await server.stop();
    await start('--memory-limit', '1MB');
    const before = worker();
    const failed = await ask(1);
    expect(failed.status).toBe(503);
    expect(await failed.text()).toContain('The query ran out of memory');
    expect(worker()).toBe(before);
    await server.stop();
    await start();
    await expectAll();
  });

  it('stands still ends with the server that is asked to stop, and what it was flushing is flushed later', async () => {
    const still = worker();
    process.kill(still, 'SIGSTOP');
    await importBatch();
    expect(await server.stop()).toBe(0);
    expect(isAlive(still)).toBe(false);
    await start();
    await expectAll();
  });

  it('ends with a server that is killed', async () => {
    const orphan = worker();
    await importBatch();
    await server.kill();
    await expect.poll(() => isAlive(orphan)).toBe(false);
    await start();
    await expectAll();
  });
});
