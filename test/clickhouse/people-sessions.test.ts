import { describe } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { describePeopleSessions } from '../service/analytics/people/people-sessions-contract.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describePeopleSessions('people in ClickHouse', async () => ClickHouseStore.open(openClient()), false);
});
