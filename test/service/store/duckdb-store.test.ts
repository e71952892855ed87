import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { MemoryLimitError } from '../../../src/service/store/store-error.ts';
import { describeStore } from './store-contract.ts';

describeStore('the DuckDB store', (folder) => DuckDbStore.open({ temporaryFolder: folder }));

it('the DuckDB store throws MemoryLimitError if a query exceeds the memory limit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onwhere-memory-'));
  const store = await DuckDbStore.open({ temporaryFolder: folder, memoryLimit: '20MB' });
  const result = store.read([], ({ rows }) => rows('SELECT len(list(range)) AS many FROM range(10000000)', []));
  await expect(result).rejects.toBeInstanceOf(MemoryLimitError);
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
