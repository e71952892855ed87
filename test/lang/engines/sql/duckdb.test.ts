import { describeCorpus } from './corpus.ts';
import { openDuckdb } from './duckdb-database.ts';

describeCorpus('DuckDB', openDuckdb, ['json', 'jsonRespelled', 'columns', 'map', 'mapRespelled', 'strings']);
