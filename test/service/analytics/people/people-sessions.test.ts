import { join } from 'node:path';
import { DuckDbStore } from '../../../../src/service/store/duckdb/duck-db-store.ts';
import { describePeopleSessions } from './people-sessions-contract.ts';

describePeopleSessions(
  'people in DuckDB',
  (folder) => DuckDbStore.open({ temporaryFolder: join(folder, 'temporary'), memoryLimit: '1GB' }),
  true,
);
