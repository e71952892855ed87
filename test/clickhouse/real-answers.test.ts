import { describe } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { describeRealAnswers } from '../end-to-end/real-answers.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';
import { serveInProcess } from './serve-in-process.ts';

describe.skipIf(!HAS_CLICKHOUSE)('ClickHouse', () => {
  // DuckDB answers for all of them.
  const halves = [
    ['online-retail', 'osd-flights'],
    ['osd-ecommerce', 'osd-logs'],
  ];
  describeRealAnswers(
    'real data over HTTP',
    ({ path }) => serveInProcess(path, () => ClickHouseStore.open(openClient())),
    halves[Number(process.env.ONWHERE_SEED) % 2],
  );
});
