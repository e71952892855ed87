import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import type { StoredVersion } from '../../src/service/store/store.ts';
import { StoreError } from '../../src/service/store/store-error.ts';
import { countOf } from '../service/store/count-of.ts';
import { eventLine, writeLogFile } from '../service/store/log-files.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

const RECORDS = 2_000;

describe.skipIf(!HAS_CLICKHOUSE)('a store on ClickHouse', () => {
  let client: ClickHouseClient;
  let store: ClickHouseStore;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onwhere-clickhouse-'));
    client = openClient();
    store = await ClickHouseStore.open(client);
  });

  afterAll(async () => {
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const rows = async <Row>(query: string): Promise<Row[]> =>
    (await client.query({ query, format: 'JSONEachRow' })).json();

  async function createFlushed(id: string): Promise<StoredVersion> {
    const version = { id, folder };
    const lines = Array.from({ length: RECORDS }, (_, time) => eventLine('a', { distinct_id: `u${time}`, time }));
    await store.flush(version, 'events', [await writeLogFile(join(folder, id), '00000001', [lines])]);
    return version;
  }

  // A query that starts after the drop finds nothing. The test then tries again and waits longer before the drop.
  it('lets a running query finish when its version is dropped', async () => {
    let records: number | undefined;
    for (let patience = 200; records === undefined; patience *= 2) {
      const version = await createFlushed(`running${patience}`);
      const { table } = await store.sourceOf(version);
      const slow = `SELECT count() AS records, sum(sleepEachRow(0.001)) FROM ${table} SETTINGS max_block_size = 100`;
      const result = rows<{ records: number }>(slow).then(
        ([row]) => Number(row?.records),
        () => undefined,
      );
      await setTimeout(patience);
      await store.drop(version);
      expect(await countOf(store, version, 'events')).toBe(0);
      records = await result;
    }
    expect(records).toBe(RECORDS);
  });

  it('removes all tables of a dropped version', async () => {
    const version = await createFlushed('gone');
    const named = "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE '%gone%'";
    expect((await rows(named)).length).toBeGreaterThan(0);
    await store.drop(version);
    expect(await rows(named)).toEqual([]);
  });

  it('uses its index to find events by name and time', async () => {
    const { table } = await store.sourceOf(await createFlushed('indexed'));
    const plan = await rows<{ explain: string }>(
      `EXPLAIN indexes = 1 SELECT count() FROM ${table} WHERE event = 'a' AND time >= 86400 AND time < 172800`,
    );
    expect(plan.map(({ explain }) => explain).join('\n')).toMatch(/intDiv\(time, 86400\) in .*\(event in /);
  });

  it('reports which statement failed and why', async () => {
    const version = await createFlushed('broken');
    await client.command({ query: 'DROP TABLE version_broken_commits' });
    const reading = store.events(version).next();
    await client.command({ query: 'ALTER TABLE events_broken_rows DROP COLUMN settle' });
    await reading;
    const file = await writeLogFile(join(folder, 'broken'), '00000002', [
      [eventLine('a', { distinct_id: 'u', time: 1 })],
    ]);
    const flushing = store.flush(version, 'events', [file]);
    await expect(flushing).rejects.toBeInstanceOf(StoreError);
    await expect(flushing).rejects.toThrow(/^ClickHouse failed on "SELECT DISTINCT settle .*…": code 47: .*settle/);
  });

  it('refuses version ids that could be SQL', async () => {
    for (const id of ['', 'a b', 'a`', 'a.b', 'é']) {
      await expect(countOf(store, { id, folder }, 'events')).rejects.toBeInstanceOf(StoreError);
    }
  });

  it('parses the statements for a cluster', async () => {
    const text = await readFile(new URL('../service/store/clickhouse-cluster.sql', import.meta.url), 'utf8');
    const statements = text.split(/;\n/).map((statement) => statement.replace(/^(--.*|\s)*\n/, '').trim());
    const explained = statements.filter((statement) => statement !== '' && !statement.endsWith('FORMAT JSONEachRow'));
    for (const statement of explained)
      await client.command({ query: `EXPLAIN AST ${statement.replace(/\{\w+:[^}]+\}/g, '1')}` });
    expect(explained.length).toBeGreaterThan(50);
  });
});
