import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredVersion } from '../../../src/service/store/store.ts';
import { DatabaseLostError, MemoryLimitError, StoreError } from '../../../src/service/store/store-error.ts';
import type { StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';
import type { LostWorker, WorkerStore } from '../../../src/service/store/worker/worker-store.ts';
import { startChild } from '../../spawned.ts';
import { countOf } from './count-of.ts';
import { openWorkerStore } from './open-worker-store.ts';
import { eventLine, writeSegment } from './segments.ts';
import { describeStore } from './store-contract.ts';
import { isAlive, storeWorkerOf } from './store-worker-of.ts';

const PARENT = fileURLToPath(new URL('worker-parent-process.ts', import.meta.url));

/** Takes minutes, and ends soon after an interrupt. */
const ENDLESS = 'SELECT count(*) AS n FROM range(1000000000) AS a (i), range(1000) AS b (j) WHERE hash(i + j) = 1';

/** Takes minutes, and hears of no interrupt meanwhile. */
const DEAF = `SELECT levenshtein(repeat('a', 300000), repeat('b', 300000)) AS n`;

describeStore('the DuckDB store in a process of its own', (folder) =>
  openWorkerStore({ temporaryFolder: folder, onlyFolder: dirname(folder) }),
);

describe('a store in a process of its own', () => {
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
  const segmentOf = (records: number) => {
    const events = Array.from({ length: records }, (_, n) => eventLine('a', { distinct_id: 'u', time: n + 1 }));
    return writeSegment(join(folder, 'log'), '1', [events]);
  };
  const askOne = ({ rows }: StoreSnapshot) => rows('SELECT 1 AS one', []);

  /** As a query that crashes DuckDB, however often it is asked. */
  const askAndKill = ({ rows }: StoreSnapshot) => {
    const answer = rows(ENDLESS, []);
    kill();
    return answer;
  };

  /** A query that is under way until the process ends for the first time. */
  const askOneLate = ({ rows }: StoreSnapshot) => rows(exits.length === 0 ? ENDLESS : 'SELECT 1 AS one', []);

  /** Has so many readings ask at the same moment. */
  function together(parties: number) {
    let lent = 0;
    let begin = () => {};
    const all = new Promise<void>((resolve) => {
      begin = resolve;
    });
    return (ask: (reading: StoreSnapshot) => Promise<unknown>) =>
      store.read([], async (reading) => {
        if (++lent === parties) begin();
        await all;
        return ask(reading);
      });
  }

  describe('whose process is killed', () => {
    it('fails the reading that was under way, says so, and answers the next', async () => {
      await expect(store.read([], askAndKill)).rejects.toBeInstanceOf(DatabaseLostError);
      expect(exits).toEqual([{ pid: expect.any(Number), code: null, signal: 'SIGKILL', reason: 'crashed' }]);
      expect(await store.read([], askOne)).toEqual(ONE);
    });

    it('does the work of a reading again that was waiting for no answer', async () => {
      let tries = 0;
      const answer = store.read([], async (reading) => {
        if (++tries === 1) {
          kill();
          await expect.poll(() => exits.length).toBe(1);
        }
        return askOne(reading);
      });
      expect(await answer).toEqual(ONE);
      expect(tries).toBe(2);
    });

    it('answers all readings where none is to blame', async () => {
      const read = together(3);
      const killOnce = (reading: StoreSnapshot) => (exits.length === 0 ? askAndKill(reading) : askOne(reading));
      expect(await Promise.all([read(askOneLate), read(killOnce), read(askOneLate)])).toEqual([ONE, ONE, ONE]);
      expect(exits).toHaveLength(1);
    });

    it('fails only the reading that is to blame', async () => {
      const read = together(3);
      const [one, culprit, other] = await Promise.allSettled([read(askOneLate), read(askAndKill), read(askOneLate)]);
      expect(culprit).toMatchObject({ reason: expect.any(DatabaseLostError) });
      expect([one, other]).toEqual(Array(2).fill({ status: 'fulfilled', value: ONE }));
      expect(exits).toHaveLength(2);
    });

    it('flushes what it was flushing, once', async () => {
      const segment = await segmentOf(1_000);
      let flushed: Promise<void> | undefined;
      const culprit = store.read([], async (reading) => {
        // A process that is stopped flushes nothing before it is killed.
        process.kill(worker(), 'SIGSTOP');
        flushed ??= store.flush(version(), 'events', [segment]);
        // Whatever it waits for is there: it has its call after a few turns.
        for (let turn = 0; turn < 50; turn++) await undefined;
        return askAndKill(reading);
      });
      await expect(culprit).rejects.toBeInstanceOf(DatabaseLostError);
      await flushed;
      expect(await countOf(store, version(), 'events')).toBe(1_000);
      expect(exits).toHaveLength(2);
    });

    it('forgets the temporary files that the process has left', async () => {
      const left = join(folder, 'temporary', 'left.tmp');
      writeFileSync(left, '');
      kill();
      await expect.poll(() => exits.length).toBe(1);
      await store.read([], askOne);
      expect(existsSync(left)).toBe(false);
    });
  });

  describe('a reading that is given up', () => {
    /** Gives up a reading once it is asked, and answers how it ends. */
    function givenUp(sql: string, beside = async () => {}): Promise<unknown> {
      const controller = new AbortController();
      return store.read(
        [],
        async ({ rows }) => {
          const answer = rows(sql, []);
          await beside();
          controller.abort('enough');
          return answer;
        },
        { signal: controller.signal },
      );
    }

    it('ends, and its process goes on', async () => {
      const before = worker();
      await expect(givenUp(ENDLESS)).rejects.toBe('enough');
      expect(exits).toEqual([]);
      expect(worker()).toBe(before);
    });

    it('ends with its process where DuckDB hears of no interrupt, and others are answered', async () => {
      let other: Promise<unknown> | undefined;
      const deaf = givenUp(DEAF, async () => {
        other = store.read([], askOne);
      });
      await expect(deaf).rejects.toBe('enough');
      expect(exits).toMatchObject([{ signal: 'SIGKILL', reason: 'ignored an interrupt' }]);
      expect(await other).toEqual(ONE);
      expect(await store.read([], askOne)).toEqual(ONE);
    });

    it('ends where the process stands still', async () => {
      const before = worker();
      process.kill(before, 'SIGSTOP');
      const controller = new AbortController();
      const stopped = store.read([], askOne, { signal: controller.signal });
      const other = store.read([], askOne);
      // By then both have their calls.
      await new Promise(setImmediate);
      controller.abort('enough');
      await expect(stopped).rejects.toBe('enough');
      expect(await other).toEqual(ONE);
      expect(worker()).not.toBe(before);
    });
  });

  describe('the process', () => {
    it('has the memory that it is given, and says where that is too little', async () => {
      const small = await openWorkerStore({ temporaryFolder: join(folder, 'small'), memoryLimit: '20MB' });
      const asked = small.read([], ({ rows }) => rows('SELECT len(list(range)) AS many FROM range(10000000)', []));
      await expect(asked).rejects.toBeInstanceOf(MemoryLimitError);
      await small.close();
    });

    it.each([
      `SELECT content FROM read_text('/etc/hostname')`,
      `SELECT content FROM read_text('/proc/self/environ')`,
      `SELECT file FROM glob('/etc/*')`,
    ])('refuses what opens a file elsewhere: %s', async (sql) => {
      await expect(store.read([], ({ rows }) => rows(sql, []))).rejects.toThrow('Permission Error');
    });

    it('waits for files that another process has, which ends', async () => {
      const other = await openWorkerStore({ temporaryFolder: join(folder, 'other') });
      await other.flush(version(), 'events', [await segmentOf(10)]);
      const counted = countOf(store, version(), 'events');
      // It has asked for the file by then.
      await store.read([], askOne);
      await other.close();
      expect(await counted).toBe(10);
    });

    it('does not start with a limit that there is not', async () => {
      const asked = openWorkerStore({ temporaryFolder: join(folder, 'none'), memoryLimit: 'much' });
      await expect(asked).rejects.toBeInstanceOf(StoreError);
      await expect(asked).rejects.not.toBeInstanceOf(DatabaseLostError);
    });

    it('leaves it to the one that started it to heed the signals of a terminal', async () => {
      const before = worker();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(before, signal);
      expect(await store.read([], askOne)).toEqual(ONE);
      expect(worker()).toBe(before);
    });

    it('ends when the store is closed, and with it what is under way', async () => {
      const before = worker();
      const failed = await new Promise<{ readonly answer: Promise<unknown> }>((resolve) => {
        const answer = store.read([], ({ rows }) => {
          const asked = rows(DEAF, []);
          resolve({ answer });
          return asked;
        });
      });
      const ended = expect(failed.answer).rejects.toBeInstanceOf(DatabaseLostError);
      await store.close();
      expect(isAlive(before)).toBe(false);
      await ended;
      expect(exits).toEqual([]);
      await expect(store.read([], askOne)).rejects.toThrow('closed');
    });

    it('ends when the one that started it is killed, whatever it is at', async () => {
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
