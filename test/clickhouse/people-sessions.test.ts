import { describe } from 'vitest';
import { ClickHouseStore } from '../../src/store/clickhouse/click-house-store.ts';
import { describePeopleSessions } from '../analytics/people-sessions-contract.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describePeopleSessions('people in ClickHouse', async () => ClickHouseStore.open(openClient()));
});
