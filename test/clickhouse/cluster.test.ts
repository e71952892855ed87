import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { describe } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { describeAnalytics } from '../service/analytics/analytics-contract.ts';
import { describeStore } from '../service/store/store-contract.ts';

// `npm run cluster-check` sets these. The tests leave nothing in the database but their versions.
const { ONWHERE_CHECK_CLICKHOUSE: url, ONWHERE_CHECK_CLUSTER: cluster } = process.env;

describe.skipIf(url === undefined)('a given ClickHouse', () => {
  const open = () =>
    ClickHouseStore.open(
      createClient({ url: url ?? '', request_timeout: 300_000, log: { level: ClickHouseLogLevel.OFF } }),
      cluster === undefined ? {} : { cluster },
    );
  describeStore('store', open);
  describeAnalytics('cluster', open);
});
