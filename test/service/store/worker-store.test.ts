import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredVersion } from '../../../src/service/store/store.ts';
import {
  DatabaseBusyError,
  DatabaseLostError,
  MemoryLimitError,
  StoreError,
} from '../../../src/service/store/store-error.ts';
import type { StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';
import type { LostWorker, WorkerStore } from '../../../src/service/store/worker/worker-store.ts';
import { startChild } from '../../spawned.ts';
import { countOf } from './count-of.ts';
import { eventLine, writeLogFile } from './log-files.ts';
import { openWorkerStore } from './open-worker-store.ts';
import { describeStore } from './store-contract.ts';
import { isAlive, storeWorkerOf } from './store-worker-of.ts';

const PARENT = fileURLToPath(new URL('worker-parent-process.ts', import.meta.url));

/** Runs for minutes and ends soon after an interrupt. */
const ENDLESS = 'SELECT count(*) AS n FROM range(1000000000) AS a (i), range(1000) AS b (j) WHERE hash(i + j) = 1';

/** Runs for minutes and ignores interrupts. */
const DEAF = `SELECT levenshtein(repeat('a', 300000), repeat('b', 300000)) AS n`;

describeStore(
  'the DuckDB store in a child process',
  (folder) => openWorkerStore({ temporaryFolder: folder, onlyFolder: dirname(folder) }),
  8,
);

describe('a store in a child process', () => {
  let folder: string;
  let exits: LostWorker[];
  let store: WorkerStore;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-worker-'));
    exits = [];
    const options = { temporaryFolder: join(folder, 'temporary'), onlyFolder: folder };
    store = await openWorkerStore(options, (exit) => exits.push(exit));
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ONE = [{ one: 1 }];
  const worker = () => storeWorkerOf(process.pid) as number;
  const kill = () => process.kill(worker(), 'SIGKILL');
  const version = (): StoredVersion => ({ id: 'v', folder: join(folder, 'v') });
  const logFileOf = (records: number) => {
    const events = Array.from({ length: records }, (_, n) => eventLine('a', { distinct_id: 'u', time: n + 1 }));
    return writeLogFile(join(folder, 'log'), '1', [events]);
  };
  const askOne = ({ rows }: StoreSnapshot) => rows('SELECT 1 AS one', []);

  /** Acts like a query that crashes DuckDB every time. */
  const askAndKill = ({ rows }: StoreSnapshot) => {
    const answer = rows(ENDLESS, []);
    kill();
    return answer;
  };

  /** Runs a query that lasts until the process first ends. */
  const askOneLate = ({ rows }: StoreSnapshot) => rows(exits.length === 0 ? ENDLESS : 'SELECT 1 AS one', []);

  /** Makes several reads run their queries at the same moment. */
  function synchronizeReads(parties: number) {
    let lent = 0;
    let begin = () => {};
    const all = new Promise<void>((resolve) => {
      begin = resolve;
    });
    return (ask: (snapshot: StoreSnapshot) => Promise<unknown>) =>
      store.read([], async (snapshot) => {
        if (++lent === parties) begin();
        await all;
        return ask(snapshot);
      });
  }

  describe('whose process is killed', () => {
    it('fails the running read with DatabaseLostError, and serves the next', async () => {
      await expect(store.read([], askAndKill)).rejects.toBeInstanceOf(DatabaseLostError);
      expect(exits).toEqual([{ pid: expect.any(Number), code: null, signal: 'SIGKILL', reason: 'crashed' }]);
      expect(await store.read([], askOne)).toEqual(ONE);
    });

    it('retries a read that was not waiting for an answer', async () => {
      let tries = 0;
      const answer = store.read([], async (snapshot) => {
        if (++tries === 1) {
          kill();
          await expect.poll(() => exits.length).toBe(1);
        }
        return askOne(snapshot);
      });
      expect(await answer).toEqual(ONE);
      expect(tries).toBe(2);
    });

    it('retries all reads if none caused the crash', async () => {
      const read = synchronizeReads(3);
      const killOnce = (snapshot: StoreSnapshot) => (exits.length === 0 ? askAndKill(snapshot) : askOne(snapshot));
      expect(await Promise.all([read(askOneLate), read(killOnce), read(askOneLate)])).toEqual([ONE, ONE, ONE]);
      expect(exits).toHaveLength(1);
    });

    it('fails only the read that causes the crash', async () => {
      const read = synchronizeReads(3);
      const [one, culprit, other] = await Promise.allSettled([read(askOneLate), read(askAndKill), read(askOneLate)]);
      expect(culprit).toMatchObject({ reason: expect.any(DatabaseLostError) });
      expect([one, other]).toEqual(Array(2).fill({ status: 'fulfilled', value: ONE }));
      expect(exits).toHaveLength(2);
    });

    it('completes a running flush once', async () => {
      const file = await logFileOf(1_000);
      let flushed: Promise<void> | undefined;
      const culprit = store.read([], async (snapshot) => {
        // A stopped process flushes nothing before it is killed.
        process.kill(worker(), 'SIGSTOP');
        flushed ??= store.flush(version(), 'events', [file]);
        // The flush waits only for microtasks, so its call is sent after a few turns.
        for (let turn = 0; turn < 50; turn++) await undefined;
        return askAndKill(snapshot);
      });
      await expect(culprit).rejects.toBeInstanceOf(DatabaseLostError);
      await flushed;
      expect(await countOf(store, version(), 'events')).toBe(1_000);
      expect(exits).toHaveLength(2);
    });

    it('removes the temporary files that the process left behind', async () => {
      const left = join(folder, 'temporary', 'left.tmp');
      writeFileSync(left, '');
      kill();
      await expect.poll(() => exits.length).toBe(1);
      await store.read([], askOne);
      expect(existsSync(left)).toBe(false);
    });
  });

  describe('an aborted read', () => {
    /** Aborts a read once its query is sent. */
    function readAndAbort(sql: string, beforeAbort = async () => {}): Promise<unknown> {
      const controller = new AbortController();
      return store.read(
        [],
        async ({ rows }) => {
          const answer = rows(sql, []);
          await beforeAbort();
          controller.abort('enough');
          return answer;
        },
        { signal: controller.signal },
      );
    }

    it('ends while its process continues', async () => {
      const before = worker();
      await expect(readAndAbort(ENDLESS)).rejects.toBe('enough');
      expect(exits).toEqual([]);
      expect(worker()).toBe(before);
    });

    it('ends with its process if DuckDB ignores the interrupt, and others are retried', async () => {
      let other: Promise<unknown> | undefined;
      const deaf = readAndAbort(DEAF, async () => {
        other = store.read([], askOne);
      });
      await expect(deaf).rejects.toBe('enough');
      expect(await other).toEqual(ONE);
      await expect.poll(() => exits).toMatchObject([{ signal: 'SIGKILL', reason: 'ignored an interrupt' }]);
      expect(await store.read([], askOne)).toEqual(ONE);
    });

    it('ends if the process is stopped', async () => {
      const before = worker();
      process.kill(before, 'SIGSTOP');
      const controller = new AbortController();
      const stopped = store.read([], askOne, { signal: controller.signal });
      const other = store.read([], askOne);
      // By then both calls are sent.
      await new Promise(setImmediate);
      controller.abort('enough');
      await expect(stopped).rejects.toBe('enough');
      expect(await other).toEqual(ONE);
      expect(worker()).not.toBe(before);
    });
  });

  describe('the process', () => {
    it('has a memory limit and throws MemoryLimitError beyond it', async () => {
      const small = await openWorkerStore({ temporaryFolder: join(folder, 'small'), memoryLimit: '20MB' });
      const result = small.read([], ({ rows }) => rows('SELECT len(list(range)) AS many FROM range(10000000)', []));
      await expect(result).rejects.toBeInstanceOf(MemoryLimitError);
      await small.close();
    });

    it.each([
      `SELECT content FROM read_text('/etc/hostname')`,
      `SELECT content FROM read_text('/proc/self/environ')`,
      `SELECT file FROM glob('/etc/*')`,
    ])('refuses to open files outside its folder: %s', async (sql) => {
      await expect(store.read([], ({ rows }) => rows(sql, []))).rejects.toThrow('Permission Error');
    });

    it('waits for files of another process that is ending', async () => {
      const other = await openWorkerStore({ temporaryFolder: join(folder, 'other') });
      await other.flush(version(), 'events', [await logFileOf(10)]);
      const counted = countOf(store, version(), 'events');
      // By then it has tried to attach the file.
      await store.read([], askOne);
      await other.close();
      expect(await counted).toBe(10);
    });

    it.runIf(process.platform === 'linux')('ends a stopped process that a killed server left behind', async () => {
      const other = startChild(process.execPath, ['--import', 'tsx', PARENT, join(folder, 'other'), folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(other.stdout, 'data');
      const orphan = storeWorkerOf(other.pid as number) as number;
      process.kill(orphan, 'SIGSTOP');
      other.kill('SIGKILL');
      expect(await countOf(store, { id: 'v', folder: join(folder, 'v') }, 'events')).toBe(10);
      expect(exits).toEqual([{ pid: orphan, code: null, signal: 'SIGKILL', reason: 'left behind by a killed server' }]);
    });

    it('ends a process that hangs while nobody uses it', async () => {
      await store.close();
      store = await openWorkerStore(
        { temporaryFolder: join(folder, 'temporary'), onlyFolder: folder, health: { everyMs: 20, missed: 3 } },
        (exit) => exits.push(exit),
      );
      const pid = worker();
      process.kill(pid, 'SIGSTOP');
      await expect.poll(() => exits[0]).toEqual({ pid, code: null, signal: 'SIGKILL', reason: 'hung' });
      expect(await store.read([], askOne)).toEqual(ONE);
    });

    it('fails with DatabaseBusyError while a process of another folder has a file open', async () => {
      const other = await openWorkerStore({ temporaryFolder: join(folder, 'other') });
      await other.flush(version(), 'events', [await logFileOf(10)]);
      await expect(countOf(store, version(), 'events')).rejects.toBeInstanceOf(DatabaseBusyError);
      await other.close();
      expect(exits).toEqual([]);
    });

    it('does not start with an invalid memory limit', async () => {
      const opened = openWorkerStore({ temporaryFolder: join(folder, 'none'), memoryLimit: 'much' });
      await expect(opened).rejects.toBeInstanceOf(StoreError);
      await expect(opened).rejects.not.toBeInstanceOf(DatabaseLostError);
    });

    it('ignores the signals of a terminal', async () => {
      const before = worker();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(before, signal);
      expect(await store.read([], askOne)).toEqual(ONE);
      expect(worker()).toBe(before);
    });

    it('ends with its running operations when the store is closed', async () => {
      const before = worker();
      const failed = await new Promise<{ readonly answer: Promise<unknown> }>((resolve) => {
        const answer = store.read([], ({ rows }) => {
          const pending = rows(DEAF, []);
          resolve({ answer });
          return pending;
        });
      });
      const ended = expect(failed.answer).rejects.toBeInstanceOf(DatabaseLostError);
      await store.close();
      expect(isAlive(before)).toBe(false);
      await ended;
      expect(exits).toEqual([]);
      await expect(store.read([], askOne)).rejects.toThrow('closed');
    });

    it('ends when its parent is killed, even during a query', async () => {
      const parent = startChild(process.execPath, ['--import', 'tsx', PARENT, join(folder, 'other')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(parent.stdout, 'data');
      const orphan = storeWorkerOf(parent.pid as number) as number;
      parent.kill('SIGKILL');
      await expect.poll(() => isAlive(orphan)).toBe(false);
    });
  });
});
