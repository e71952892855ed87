import { describe } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { describeRealAnswers } from '../end-to-end/real-answers.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';
import { serveInProcess } from './serve-in-process.ts';

describe.skipIf(!HAS_CLICKHOUSE)('ClickHouse', () => {
  describeRealAnswers('real data over HTTP', ({ path }) =>
    serveInProcess(path, () => ClickHouseStore.open(openClient())),
  );
});
