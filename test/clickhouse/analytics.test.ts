import { describe } from 'vitest';
import { ClickHouseStore } from '../../src/store/clickhouse/click-house-store.ts';
import { describeAnalytics } from '../analytics/analytics-contract.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describeAnalytics('ClickHouse', async () => ClickHouseStore.open(openClient()));
});
