import { describe } from 'vitest';
import { describeCorpus } from '../lang/engines/sql/corpus.ts';
import { openShardedClickhouse } from './cluster-database.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('on 3 shards', () => {
  describeCorpus('ClickHouse', () => openShardedClickhouse(3), ['json'], 200);
});
