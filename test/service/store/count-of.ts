import type { RecordKind, Store, StoredVersion } from '../../../src/service/store/store.ts';

/** How many records of a kind are flushed. */
export async function countOf(
  store: Pick<Store, 'readFlushed'>,
  version: StoredVersion,
  kind: RecordKind,
): Promise<number> {
  return (await store.readFlushed(version))[kind].records;
}
