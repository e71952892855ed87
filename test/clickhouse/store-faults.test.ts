import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogFile } from '../../src/service/storage/log-files.ts';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import type { RecordKind, StoredVersion } from '../../src/service/store/store.ts';
import { StoreError } from '../../src/service/store/store-error.ts';
import { countOf } from '../service/store/count-of.ts';
import { eventLine, writeLogFile } from '../service/store/log-files.ts';
import { openServers } from './cluster-stand-in.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';
import { BreakingClient, isCommit, LateClient } from './unreliable-clients.ts';

const SEED = Number(process.env.ONWHERE_SEED);

describe.skipIf(!HAS_CLICKHOUSE).each([1, 2] as const)('an interrupted flush (shards: %d)', (shards) => {
  let servers: ReturnType<typeof openServers>;
  let store: ClickHouseStore;
  let folder: string;
  let versions = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onwhere-faults-'));
    servers = openServers(shards);
    store = await ClickHouseStore.open(servers.client, servers.options);
  });

  afterAll(async () => {
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const logFilesOf = (version: StoredVersion, kind: RecordKind): Promise<LogFile[]> =>
    Promise.all(
      [1, 2, 3, 4].map((number) => {
        const event = {
          distinct_id: `u${number}`,
          time: number,
          $insert_id: `i${Math.min(number, 3)}`,
          [`p${number}`]: 1,
        };
        const lines =
          kind === 'events'
            ? [eventLine('a', event), eventLine('b', { distinct_id: 'u', time: number + 10 })]
            : [
                { $distinct_id: 'a', $add: { n: 1 } },
                { $distinct_id: `u${number}`, $set: { [`p${number}`]: 'x' } },
              ];
        return writeLogFile(join(folder, version.id, kind), String(number).padStart(8, '0'), [lines]);
      }),
    );

  /** Reads all records of a version as JSON. */
  const readRecords = async (version: StoredVersion, kind: RecordKind): Promise<string[]> => {
    const found: string[] = [];
    for await (const record of kind === 'events' ? store.events(version) : store.people(version)) {
      found.push(JSON.stringify(record));
    }
    expect(await countOf(store, version, kind)).toBe(found.length);
    return found;
  };

  const newVersion = (): StoredVersion => ({ id: `f${++versions}`, folder });

  it.each<RecordKind>(['events', 'people'])(
    'shows all %s or none after any statement, and has the same result when repeated',
    async (kind) => {
      const whole = newVersion();
      const all = await logFilesOf(whole, kind);
      const after: string[][] = [];
      for (const files of [all.slice(0, 1), all.slice(0, 3), all]) {
        await store.flush(whole, kind, files);
        after.push(await readRecords(whole, kind));
      }
      const breaking = new BreakingClient(servers.client);
      const broken = await ClickHouseStore.open(breaking.asClient, servers.options);
      // Most statements of people are those of events, and those on two shards those on one. Each run takes others.
      const stride = 5 * (shards === 2 ? 2 : 1) * (kind === 'people' ? 2 : 1);
      let statement = -(SEED % stride);
      for (let isDone = false; !isDone; ) {
        const version = newVersion();
        const files = await logFilesOf(version, kind);
        await store.flush(version, kind, files.slice(0, 1));
        statement += stride;
        breaking.breakAt(statement);
        const failed = await broken.flush(version, kind, files.slice(1, 3)).then(
          () => undefined,
          (error: unknown) => error,
        );
        isDone = failed === undefined;
        if (!isDone) expect(failed).toBeInstanceOf(StoreError);
        expect(after.slice(isDone ? 1 : 0, 2)).toContainEqual(await readRecords(version, kind));
        // Another file may have been closed by the time of the repetition.
        await store.flush(version, kind, statement % 2 === 0 ? files.slice(1, 3) : files.slice(1));
        await store.flush(version, kind, files);
        expect(await readRecords(version, kind)).toEqual(after[2]);
        await store.drop(version);
      }
      expect(statement).toBeGreaterThan(15);
    },
  );

  /** Returns the changes of the flush that is interrupted. */
  const listChanges = async (late: LateClient, through: ClickHouseStore, kind: RecordKind): Promise<string[]> => {
    const version = newVersion();
    const files = await logFilesOf(version, kind);
    await store.flush(version, kind, files.slice(0, 1));
    late.withhold(0);
    await through.flush(version, kind, files.slice(1, 3));
    return late.changes;
  };

  /** Counts the commits of a version that have the number of another one. */
  const countRivals = async ({ id }: StoredVersion): Promise<number> => {
    const query = `SELECT count() - uniqExact(kind, number) AS rivals FROM version_${id}_commits WHERE number > 0`;
    const result = await servers.client.query({ query, format: 'JSONEachRow' });
    const [found] = await result.json<{ rivals: string }>();
    return Number(found?.rivals);
  };

  // Each costs 40 statements for each place of the late one, so only two shards have them, and each run takes a sixth of
  // the statements besides the commits, and of the places of those.
  const lateKinds: RecordKind[] = shards === 2 ? ['events', 'people'] : [];
  it.each(lateKinds)('loses and doubles no %s if a statement arrives late', async (kind) => {
    const whole = newVersion();
    await store.flush(whole, kind, await logFilesOf(whole, kind));
    const expected = await readRecords(whole, kind);
    const late = new LateClient(servers.client);
    const unreliable = await ClickHouseStore.open(late.asClient, servers.options);
    let rivals = 0;
    const changes = await listChanges(late, unreliable, kind);

    /** Returns the withheld statement, and whether it arrived during the repetition. Undefined if there is none. */
    const flushLate = async (change: number, arrival: number) => {
      const version = newVersion();
      const files = await logFilesOf(version, kind);
      await store.flush(version, kind, files.slice(0, 1));
      late.withhold(change);
      const failed = unreliable.flush(version, kind, files.slice(1, 3));
      await failed.catch((error: unknown) => expect(error).toBeInstanceOf(StoreError));
      const { withheld } = late;
      if (withheld === undefined) return undefined;
      late.releaseAt(arrival);
      const repeat = () => unreliable.flush(version, kind, files.slice(1));
      await repeat().catch(repeat);
      const isDuring = late.withheld === undefined;
      await late.release();
      rivals += await countRivals(version);
      const place = `${withheld} before statement ${arrival}`;
      expect(await readRecords(version, kind), place).toEqual(expected);
      const next = await writeLogFile(join(folder, version.id, kind), '00000005', []);
      await store.flush(version, kind, [...files, next]);
      expect(await readRecords(version, kind), `a flush after ${place}`).toEqual(expected);
      await store.drop(version);
      return { withheld, isDuring };
    };

    for (const [index, query] of changes.entries()) {
      const change = index + 1;
      if (isCommit(query))
        for (let arrival = 1 + 8 * (SEED % 2); (await flushLate(change, arrival))?.isDuring; arrival += 16);
      else if ((change + SEED) % 6 === 0) expect(await flushLate(change, 1 + (change % 11))).toBeDefined();
    }
    expect(changes.length).toBeGreaterThan(10);
    expect(rivals).toBeGreaterThan(0);
  });
});
