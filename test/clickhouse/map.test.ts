import { describe } from 'vitest';
import { describeCorpus } from '../lang/engines/sql/corpus.ts';
import { HAS_CLICKHOUSE, openClickhouse } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('in this process', () => {
  describeCorpus('ClickHouse', openClickhouse, ['map', 'mapRespelled', 'strings']);
});
