import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Analytics } from '../../src/service/analytics/analytics.ts';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { DepthLimitError } from '../../src/service/store/store-error.ts';
import { describeAnalytics } from '../service/analytics/analytics-contract.ts';
import { eventLine, writeLogFile } from '../service/store/log-files.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describeAnalytics('ClickHouse', async () => ClickHouseStore.open(openClient()), { without: ['examples'] });

  it('accepts deeply nested statements and refuses those that are too deep or too long', async () => {
    const store = await ClickHouseStore.open(openClient());
    const nested = (levels: number) => `SELECT ${'('.repeat(levels)}1${')'.repeat(levels)} AS one`;
    await store.read([], async (snapshot) => {
      expect(await snapshot.rows(nested(600), [])).toEqual([{ one: 1 }]);
      await expect(snapshot.rows(nested(100_000), [])).rejects.toBeInstanceOf(DepthLimitError);
      const long = (items: number) => `SELECT [${'now(), '.repeat(items)}now()] AS times`;
      for (const items of [30_000, 60_000])
        await expect(snapshot.rows(long(items), [])).rejects.toBeInstanceOf(DepthLimitError);
      await expect(snapshot.rows('SELECT (', [])).rejects.not.toBeInstanceOf(DepthLimitError);
    });
    await store.close();
  });

  it('runs a filter with 26 dates in a time zone, and refuses one with 300', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onwhere-dates-'));
    const store = await ClickHouseStore.open(openClient());
    try {
      const version = { id: 'dates', folder: join(folder, 'store') };
      const time = Date.UTC(2025, 5, 10) / 1000;
      const lines = [eventLine('view', { distinct_id: 'ann', time, t19: '2025-06-10T00:00:00' })];
      const logFile = await writeLogFile(join(folder, version.id, 'events'), '00000001', [lines]);
      await store.flush(version, 'events', [logFile]);
      // Berlin is two hours ahead of UTC in summer.
      const list = (dates: number) =>
        Array.from({ length: dates }, (_, n) => `datetime(properties["t${n}"]) == ${time - 2 * 3600}`).join(' or ');
      const count = (dates: number) =>
        store.read([version], (snapshot) =>
          new Analytics({ snapshot, timeZone: 'Europe/Berlin', now: time }).segmentation({
            event: 'view',
            dates: { from: '2025-06-10', to: '2025-06-10' },
            type: 'general',
            unit: 'day',
            where: list(dates),
            limit: 1,
          }),
        );
      expect(await count(26)).toMatchObject({ series: [{ name: 'view', values: [1] }] });
      await expect(count(300)).rejects.toBeInstanceOf(DepthLimitError);
    } finally {
      await store.close();
      await rm(folder, { recursive: true });
    }
  });
});
