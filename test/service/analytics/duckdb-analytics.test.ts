import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import type { Store, StoredVersion } from '../../../src/service/store/store.ts';
import { describeAnalytics } from './analytics-contract.ts';

describeAnalytics('the DuckDB store', (folder) => DuckDbStore.open({ temporaryFolder: folder }));

// A read of many versions copies the small ones to memory.
describeAnalytics(
  'copies of small versions',
  async (folder) => readAmongMany(await DuckDbStore.open({ temporaryFolder: folder }), folder),
  { withExamples: false, requestCount: 2 },
);

/** Returns a store that reads each version together with others, which have no records. */
function readAmongMany(store: Store, folder: string): Store {
  const others = Array.from({ length: 8 }, (_, index): StoredVersion => ({ id: `empty${index}`, folder }));
  return {
    flush: (...args) => store.flush(...args),
    read: (versions, ...args) => store.read([...versions, ...others], ...args),
    close: () => store.close(),
  } as Store;
}
