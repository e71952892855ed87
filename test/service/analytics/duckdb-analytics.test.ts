import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { describeAnalytics } from './analytics-contract.ts';

describeAnalytics('the DuckDB store', (folder) => DuckDbStore.open({ temporaryFolder: folder }));
