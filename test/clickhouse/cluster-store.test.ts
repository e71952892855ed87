import { describe } from 'vitest';
import { describeStore } from '../service/store/store-contract.ts';
import { openShardedStore } from './cluster-stand-in.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE).each([3] as const)('on %d shards', (shards) => {
  describeStore('ClickHouse', () => openShardedStore(shards), 4);
});
