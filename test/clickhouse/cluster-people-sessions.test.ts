import { describe } from 'vitest';
import { describePeopleSessions } from '../service/analytics/people/people-sessions-contract.ts';
import { openShardedStore } from './cluster-stand-in.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('on 2 shards', () => {
  describePeopleSessions('people in ClickHouse', () => openShardedStore(2), false);
});
