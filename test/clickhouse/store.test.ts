import { describe } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { describeStore } from '../service/store/store-contract.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describeStore('ClickHouse', async () => ClickHouseStore.open(openClient()));
});
