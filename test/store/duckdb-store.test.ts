import { DuckDbStore } from '../../src/store/duckdb/duck-db-store.ts';
import { describeStore } from './store-contract.ts';

describeStore('the DuckDB store', (folder) => DuckDbStore.open({ temporaryFolder: folder }));
