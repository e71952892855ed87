import type { RecordKind, Store, StoredVersion } from '../../../src/service/store/store.ts';

/** Returns the number of flushed records of a kind. */
export async function countOf(
  store: Pick<Store, 'readFlushed'>,
  version: StoredVersion,
  kind: RecordKind,
): Promise<number> {
  return (await store.readFlushed(version))[kind].records;
}
