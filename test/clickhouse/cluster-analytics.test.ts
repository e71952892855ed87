import { describe } from 'vitest';
import { describeAnalytics } from '../service/analytics/analytics-contract.ts';
import { openShardedStore } from './cluster-stand-in.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE).each([3] as const)('on %d shards', (shards) => {
  describeAnalytics('ClickHouse', () => openShardedStore(shards), {
    requestCount: 2,
    without: ['examples', 'keys', 'long'],
  });
});
