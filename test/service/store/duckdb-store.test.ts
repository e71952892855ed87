import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { MemoryLimitError } from '../../../src/service/store/store-error.ts';
import { describeStore } from './store-contract.ts';

describeStore('the DuckDB store', (folder) => DuckDbStore.open({ temporaryFolder: folder }));

it('says where a question needs more memory than there is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onwhere-memory-'));
  const store = await DuckDbStore.open({ temporaryFolder: folder, memoryLimit: '20MB' });
  const asked = store.read([], ({ rows }) => rows('SELECT len(list(range)) AS many FROM range(10000000)', []));
  await expect(asked).rejects.toBeInstanceOf(MemoryLimitError);
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
