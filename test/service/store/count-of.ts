import type { RecordKind, Store, StoredVersion } from '../../../src/service/store/store.ts';

/** How many records of a kind are settled. */
export async function countOf(
  store: Pick<Store, 'settled'>,
  version: StoredVersion,
  kind: RecordKind,
): Promise<number> {
  return (await store.settled(version))[kind].records;
}
