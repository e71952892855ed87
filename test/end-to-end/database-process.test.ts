import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { isAlive, storeWorkerOf } from '../service/store/store-worker-of.ts';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';

const OPEN = { readable: true, writable: true };

/** Returns the path of a query. Each `limit` is a new query, so that no result comes from the cache. */
const pathOf = (limit: number) =>
  `/api/2.0/segmentation?event=order&from_date=2025-06-01&to_date=2025-06-01&limit=${limit}`;

/** Stops or kills the database process, as a crash or an endless query would. */
describe('a server', () => {
  let folder: TestFolder;
  let server: ServerProcess;
  let client: Client;
  let versionId: string;
  let batches = 0;

  beforeEach(async () => {
    folder = TestFolder.make();
    batches = 0;
    await start();
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

  async function restart(...options: string[]): Promise<void> {
    await server.stop();
    await start(...options);
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

  function query(limit: number, signal?: AbortSignal): Promise<Response> {
    const authorization = `Basic ${Buffer.from(`${folder.secret}:`).toString('base64')}`;
    return fetch(server.address + pathOf(limit), { headers: { authorization }, ...(signal && { signal }) });
  }

  /** Expects the version to contain all acknowledged events. */
  async function expectAll(): Promise<void> {
    await client.untilReady(versionId);
    // A busy machine may exceed a short time limit.
    await eventually(async () =>
      expect(await (await query(batches)).json()).toMatchObject({
        data: { values: { order: { '2025-06-01': 10 * batches } } },
      }),
    );
  }

  /** Suspends the database process, sends a query and waits until it runs. */
  async function queryWhileSuspended(signal?: AbortSignal): Promise<{ readonly response: Promise<Response> }> {
    process.kill(worker(), 'SIGSTOP');
    const response = query(255, signal);
    response.catch(() => undefined);
    await untilRunning(1);
    return { response };
  }

  it('logs how each query was answered', async () => {
    const queryLog = () =>
      server.output
        .split('\n')
        .filter((line) => line.includes('"route":"/api/2.0/segmentation"'))
        .map((line) => JSON.parse(line).query);
    for (const limit of [1, 1]) expect((await query(limit)).status).toBe(200);
    const times = { waitedMs: expect.any(Number), ranMs: expect.any(Number) };
    await expect.poll(queryLog).toEqual([
      { answer: 'computed', ...times, read: 'events' },
      { answer: 'cached', waitedMs: 0, ranMs: 0 },
    ]);
    expect(queryLog()[0].ranMs).toBeGreaterThan(0);
  });

  it('explains how a query was answered', async () => {
    const ask = async (more = '') => {
      const headers = { authorization: `Basic ${Buffer.from(`${folder.secret}:`).toString('base64')}` };
      return (await fetch(`${server.address}${pathOf(7)}${more}`, { headers })).json();
    };
    const [explained, again, plain] = [await ask('&explain=1'), await ask('&explain=1&verbose=1'), await ask()];
    const times = { waited_ms: expect.any(Number), ran_ms: expect.any(Number) };
    expect(explained).toEqual({ ...plain, explain: { answer: 'computed', ...times, read: 'events' } });
    expect(explained.explain.ran_ms).toBeGreaterThan(0);
    // The names of events were counted for the warnings.
    expect(again).toEqual({ ...plain, warnings: [], explain: { answer: 'computed', ...times, read: 'events' } });
    expect(await ask('&explain=1')).toEqual({ ...plain, explain: { answer: 'cached', waited_ms: 0, ran_ms: 0 } });
  });

  it('fails one query and loses no data when its database crashes, and keeps serving versions and imports', async () => {
    const { response } = await queryWhileSuspended();
    const other = (await client.create()).version_id;
    await importBatch(other);
    const crashed = worker();
    process.kill(crashed, 'SIGSEGV');
    process.kill(crashed, 'SIGCONT');
    const failed = await response;
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await failed.json()).toEqual({
      error: expect.stringMatching(/^The database process ended during the query/),
      request: pathOf(255),
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

  it('kills a database that ignores the time limit of a query, and runs the next query', async () => {
    await restart('--query-time-limit', '2');
    const { response } = await queryWhileSuspended();
    const failed = await response;
    expect(failed.status).toBe(503);
    expect(await failed.text()).toContain('The query takes over 2 seconds');
    await untilRunning(0);
    await expectAll();
    expect(server.output).toMatch(/"reason":"ignored an interrupt"/);
  });

  it('kills a database that continues a query after its client disconnects, and runs the next query', async () => {
    await restart('--query-time-limit', '2');
    const client = new AbortController();
    await queryWhileSuspended(client.signal);
    client.abort();
    await untilRunning(0);
    await expectAll();
  });

  it('reports a query that needs more memory than the database has, and keeps the database', async () => {
    await restart('--memory-limit', '1MB');
    const before = worker();
    const failed = await query(1);
    expect(failed.status).toBe(503);
    expect(await failed.text()).toContain('The query ran out of memory');
    expect(worker()).toBe(before);
    await restart();
    await expectAll();
  });

  it('ends a suspended database on SIGTERM, and flushes the rest after a restart', async () => {
    const suspended = worker();
    process.kill(suspended, 'SIGSTOP');
    await importBatch();
    expect(await server.stop()).toBe(0);
    expect(isAlive(suspended)).toBe(false);
    await start();
    await expectAll();
  });

  it('leaves no database process behind when it is killed', async () => {
    const orphan = worker();
    await importBatch();
    await server.kill();
    await expect.poll(() => isAlive(orphan)).toBe(false);
    await start();
    await expectAll();
  });
});
