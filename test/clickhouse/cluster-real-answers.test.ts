import { describe } from 'vitest';
import { describeRealAnswers } from '../end-to-end/real-answers.ts';
import { openShardedStore } from './cluster-stand-in.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';
import { serveInProcess } from './serve-in-process.ts';

describe.skipIf(!HAS_CLICKHOUSE).each([3] as const)('ClickHouse on %d shards', (shards) => {
  describeRealAnswers('real data over HTTP', ({ path }) => serveInProcess(path, () => openShardedStore(shards)), [
    'osd-ecommerce',
  ]);
});
