import { join } from 'node:path';
import { DuckDbStore } from '../../src/service/store/duckdb/duck-db-store.ts';
import type { TestFolder } from './server-process.ts';

/** Counts the events of a version by their property `batch`. No server may have the folder open. */
export async function storedEvents(folder: TestFolder, versionId: string): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  const store = await DuckDbStore.open({ temporaryFolder: join(folder.path, 'temporary') });
  const version = { id: versionId, folder: join(folder.versionFolder(versionId), 'store') };
  for await (const { properties } of store.events(version)) {
    const batch = Number(properties.batch);
    counts.set(batch, (counts.get(batch) ?? 0) + 1);
  }
  await store.close();
  return counts;
}
