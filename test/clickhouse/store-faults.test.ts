import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogSegment } from '../../src/service/storage/segment-folder.ts';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import type { RecordKind, StoredVersion } from '../../src/service/store/store.ts';
import { StoreError } from '../../src/service/store/store-error.ts';
import { countOf } from '../service/store/count-of.ts';
import { eventLine, writeSegment } from '../service/store/segments.ts';
import { openServers } from './cluster-stand-in.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';

/**
 * A client whose connection breaks at a given statement, after the database ran it and before the response arrives. A
 * statement that never arrives leaves the state of the one before it, so the test at the next statement covers that
 * case.
 */
class BreakingClient {
  private statement = 0;
  /** The number of the statement at which to break, counted from the last call of `breakAt`; 0 for none. */
  private breakPoint = 0;

  constructor(private readonly client: ClickHouseClient) {}

  breakAt(statement: number): void {
    [this.statement, this.breakPoint] = [0, statement];
  }

  command(...parameters: Parameters<ClickHouseClient['command']>) {
    return this.runAndBreak(() => this.client.command(...parameters));
  }

  query(...parameters: Parameters<ClickHouseClient['query']>) {
    return this.runAndBreak(() => this.client.query(...parameters));
  }

  exec(...parameters: Parameters<ClickHouseClient['exec']>) {
    return this.runAndBreak(() => this.client.exec(...parameters));
  }

  private async runAndBreak<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = await run();
    if (++this.statement === this.breakPoint) throw new Error('socket hang up');
    return result;
  }
}

describe.skipIf(!HAS_CLICKHOUSE).each([1, 2, 3] as const)('an interrupted flush (shards: %d)', (shards) => {
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

  const segmentsOf = (version: StoredVersion, kind: RecordKind): Promise<LogSegment[]> =>
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
        return writeSegment(join(folder, version.id, kind), String(number).padStart(8, '0'), [lines]);
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
      const all = await segmentsOf(whole, kind);
      const after: string[][] = [];
      for (const segments of [all.slice(0, 1), all.slice(0, 3), all]) {
        await store.flush(whole, kind, segments);
        after.push(await readRecords(whole, kind));
      }
      const breaking = new BreakingClient(servers.client);
      const broken = await ClickHouseStore.open(breaking as unknown as ClickHouseClient, servers.options);
      let statement = 0;
      for (let isDone = false; !isDone; ) {
        const version = newVersion();
        const segments = await segmentsOf(version, kind);
        await store.flush(version, kind, segments.slice(0, 1));
        breaking.breakAt(++statement);
        const failed = await broken.flush(version, kind, segments.slice(1, 3)).then(
          () => undefined,
          (error: unknown) => error,
        );
        isDone = failed === undefined;
        if (!isDone) expect(failed).toBeInstanceOf(StoreError);
        expect(after.slice(isDone ? 1 : 0, 2)).toContainEqual(await readRecords(version, kind));
        // Another segment may have been closed by the time of the repetition.
        await store.flush(version, kind, statement % 2 === 0 ? segments.slice(1, 3) : segments.slice(1));
        await store.flush(version, kind, segments);
        expect(await readRecords(version, kind)).toEqual(after[2]);
        await store.drop(version);
      }
      expect(statement).toBeGreaterThan(15);
    },
  );
});
