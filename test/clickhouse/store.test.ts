import { describe } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { describeStore } from '../service/store/store-contract.ts';
import { getClusterName, openClusterStandIn } from './cluster-stand-in.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describeStore('ClickHouse', async () => ClickHouseStore.open(openClient()));

  describe.each([2, 3] as const)('on %d shards', (shards) => {
    describeStore('ClickHouse', async () =>
      ClickHouseStore.open(openClusterStandIn(shards), { cluster: getClusterName(shards) }),
    );
  });
});
