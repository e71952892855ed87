import { describe, vi } from 'vitest';
import { describeCorpus } from '../sql/corpus.ts';
import { HAS_CLICKHOUSE, openClickhouse } from './open-clickhouse.ts';

// What a query means takes this database longer to find out than to answer it.
vi.setConfig({ testTimeout: 900_000 });

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describeCorpus('ClickHouse', openClickhouse, ['map', 'mapRespelled', 'texts']);
});
