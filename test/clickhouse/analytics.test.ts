import { describe, expect, it } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { DepthLimitError } from '../../src/service/store/store-error.ts';
import { describeAnalytics } from '../service/analytics/analytics-contract.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describeAnalytics('ClickHouse', async () => ClickHouseStore.open(openClient()), { withExamples: false });

  it('accepts deeply nested statements and refuses those that are too deep or too long', async () => {
    const store = await ClickHouseStore.open(openClient());
    const nested = (levels: number) => `SELECT ${'('.repeat(levels)}1${')'.repeat(levels)} AS one`;
    await store.read([], async (reading) => {
      expect(await reading.rows(nested(600), [])).toEqual([{ one: 1 }]);
      await expect(reading.rows(nested(100_000), [])).rejects.toBeInstanceOf(DepthLimitError);
      const long = (items: number) => `SELECT [${'now(), '.repeat(items)}now()] AS times`;
      for (const items of [30_000, 60_000])
        await expect(reading.rows(long(items), [])).rejects.toBeInstanceOf(DepthLimitError);
      await expect(reading.rows('SELECT (', [])).rejects.not.toBeInstanceOf(DepthLimitError);
    });
    await store.close();
  });
});
