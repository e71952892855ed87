import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNSET, type Version } from '../../src/datasets/version.ts';
import { DuckDbStore } from '../../src/store/duckdb/duck-db-store.ts';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';

/** How often the server is killed; `ONWHERE_KILLS=1000` for a long run. */
const KILLS = Number(process.env.ONWHERE_KILLS ?? 16);

/** How often it is killed before a version is complete and looked at. */
const KILLS_PER_VERSION = 8;

const BATCH = 200;

/** What was sent of one version, by the number of the batch. */
interface Sent {
  readonly acknowledged: Set<number>;
  /** With insert ids a batch is repeated until it is acknowledged; without, it is sent once. */
  readonly unknown: Set<number>;
}

function isRepeated(batch: number): boolean {
  return batch % 2 === 0;
}

function isOfPeople(batch: number): boolean {
  return batch % 3 === 0;
}

describe('a server that is killed under load', () => {
  let folder: TestFolder;
  let nextBatch = 1;

  beforeAll(() => {
    folder = TestFolder.make();
  });
  afterAll(() => folder.remove());

  it(
    'has every acknowledged record once, none twice, no half batch, and versions in a legal state',
    async () => {
      for (let kills = 0; kills < KILLS; kills += KILLS_PER_VERSION) await liveThrough(KILLS_PER_VERSION);
    },
    Math.max(600_000, KILLS * 60_000),
  );

  /** One version: imports and kills, then all of it is looked at. */
  async function liveThrough(kills: number): Promise<void> {
    const sent: Sent = { acknowledged: new Set(), unknown: new Set() };
    let versionId: string | undefined;
    let isReadable = false;
    for (let kill = 0; kill <= kills; kill++) {
      const server = await ServerProcess.start(folder);
      const client = new Client(folder, server);
      const versions = await client.list();
      for (const version of versions) expectLegal(version);
      versionId ??= (await client.create()).version_id;
      const version = versionId;
      // What was set before a kill is still set.
      if (isReadable) expect((await client.get(version)).state.readable).toBe(true);
      if (kill === kills) {
        await repeatUnknown(client, version, sent);
        await client.setState(version, { readable: true, writable: true });
        await client.untilReady(version);
        for (const old of versions) if (old.version_id !== version) await client.delete(old.version_id);
        expect(await server.stop()).toBe(0);
        break;
      }
      const loads = [1, 2, 3].map(() => load(client, version, sent));
      // The second half of its life it is being processed, too.
      if (kill >= kills / 2 && !isReadable) {
        isReadable = await client.setState(version, { readable: true, writable: true }).then(
          () => true,
          () => false,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_500));
      await server.kill();
      await Promise.all(loads);
    }
    await lookAt(versionId as string, sent);
  }

  /** Sends batches until the server is gone. */
  async function load(client: Client, versionId: string, sent: Sent): Promise<void> {
    for (;;) {
      const repeated = [...sent.unknown].find(isRepeated);
      const batch = repeated ?? nextBatch++;
      sent.unknown.delete(batch);
      const acknowledged = await send(client, versionId, batch).catch(() => undefined);
      if (acknowledged !== true) {
        sent.unknown.add(batch);
        return;
      }
      sent.acknowledged.add(batch);
    }
  }

  async function repeatUnknown(client: Client, versionId: string, sent: Sent): Promise<void> {
    for (const batch of [...sent.unknown].filter(isRepeated)) {
      expect(await send(client, versionId, batch)).toBe(true);
      sent.unknown.delete(batch);
      sent.acknowledged.add(batch);
    }
  }

  function send(client: Client, versionId: string, batch: number): Promise<boolean> {
    const records = Array.from({ length: BATCH }, (_, index) => {
      // A repeated update of a person must come to the same, as no insert id tells it from the first.
      if (isOfPeople(batch)) {
        const operation = isRepeated(batch) ? '$union' : '$append';
        const seen = isRepeated(batch) ? [`${batch}/${index}`] : `${batch}/${index}`;
        return client.person(`user ${index % 50}`, { [operation]: { seen } });
      }
      const id = isRepeated(batch) ? { $insert_id: `${batch}/${index}` } : {};
      return client.event({ distinct_id: `user ${index % 50}`, time: 1_700_000_000 + batch, batch, index, ...id });
    });
    return client.import(isOfPeople(batch) ? 'people' : 'events', versionId, records);
  }

  async function lookAt(versionId: string, { acknowledged, unknown }: Sent): Promise<void> {
    const stored = new Map<number, number[]>();
    const add = (batch: number, index: number) => {
      const indexes = stored.get(batch) ?? [];
      indexes.push(index);
      stored.set(batch, indexes);
    };
    const store = await DuckDbStore.open({ temporaryFolder: folder.path });
    const version = { id: versionId, folder: `${folder.versionFolder(versionId)}/store` };
    for await (const { properties } of store.events(version)) add(Number(properties.batch), Number(properties.index));
    for await (const { properties } of store.people(version)) {
      for (const seen of properties.seen as string[]) {
        const [batch, index] = seen.split('/').map(Number);
        add(batch as number, index as number);
      }
    }
    await store.close();
    const whole = Array.from({ length: BATCH }, (_, index) => index);
    for (const [batch, indexes] of stored) {
      expect([batch, indexes.sort((left, right) => left - right)]).toEqual([batch, whole]);
      expect(acknowledged.has(batch) || unknown.has(batch)).toBe(true);
    }
    expect([...acknowledged].filter((batch) => !stored.has(batch))).toEqual([]);
    process.stdout.write(
      `crash run: ${acknowledged.size} batches acknowledged, ${unknown.size} not, ${stored.size} stored\n`,
    );
  }
});

function expectLegal({ is_live, state }: Version): void {
  if (is_live) expect(state.readable && state.ready_at !== UNSET).toBe(true);
  if (state.ready) expect(state.ready_at).not.toBe(UNSET);
  if (state.readable) expect(state.readable_at).not.toBe(UNSET);
}
