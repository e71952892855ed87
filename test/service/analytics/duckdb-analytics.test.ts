import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import type { Store, StoredVersion } from '../../../src/service/store/store.ts';
import { describeAnalytics } from './analytics-contract.ts';

describeAnalytics('the DuckDB store', (folder) => DuckDbStore.open({ temporaryFolder: folder }));

// A read of many versions copies the small ones to memory.
describeAnalytics(
  'copies of small versions',
  async (folder) => readAmongMany(await DuckDbStore.open({ temporaryFolder: folder }), folder),
  { requestCount: 2, without: ['examples', 'long'] },
);

// The first events are counted by hour, in parts. Those of the second flush are counted if they are late.
describeAnalytics(
  'counts by hour',
  async (folder) =>
    optimizeEarly(await DuckDbStore.open({ temporaryFolder: folder }, { minEvents: 1, minEventsPerRow: 0, part: 4 })),
  { requestCount: 2, without: ['long'] },
);

/** Returns a store that optimizes each version after its first flush. */
function optimizeEarly(store: DuckDbStore): Store {
  const optimized = new Set<string>();
  return {
    flush: async (version, ...args) => {
      await store.flush(version, ...args);
      if (optimized.has(version.id)) return;
      optimized.add(version.id);
      while (await store.optimize(version)) {}
    },
    read: (...args) => store.read(...args),
    close: () => store.close(),
  } as Store;
}

/** Returns a store that reads each version together with others, which have no records. */
function readAmongMany(store: Store, folder: string): Store {
  const others = Array.from({ length: 8 }, (_, index): StoredVersion => ({ id: `empty${index}`, folder }));
  return {
    flush: (...args) => store.flush(...args),
    read: (versions, ...args) => store.read([...versions, ...others], ...args),
    close: () => store.close(),
  } as Store;
}
