import { formatInteger } from '../../base/strings.ts';
import { type Flushed, RECORD_KINDS, type RecordKind, type StoredVersion } from './store.ts';
import { DamagedVersionError } from './store-error.ts';

/**
 * Compares the records that a store has of a version with those that were flushed. The store may have more: the process
 * may end after a flush and before it is recorded, and then the flush is repeated.
 *
 * @throws {DamagedVersionError} if the store has fewer.
 */
export function assertFlushed({ id, flushed }: StoredVersion, found: Flushed): void {
  if (flushed === undefined) return;
  const missing = RECORD_KINDS.filter((kind) => !isWhole(flushed, found, kind));
  if (missing.length === 0) return;
  const counts = missing.map((kind) => `${found[kind].records} of ${formatRecordCount(kind, flushed[kind].records)}`);
  throw new DamagedVersionError(id, `the store has ${counts.join(' and ')}`);
}

function isWhole(flushed: Flushed, found: Flushed, kind: RecordKind): boolean {
  const { records, lastFile } = found[kind];
  if (lastFile === flushed[kind].lastFile) return records === flushed[kind].records;
  return lastFile > flushed[kind].lastFile;
}

/** Formats a number of records: `1 event`, `2,000 people`. */
export function formatRecordCount(kind: RecordKind, count: number): string {
  const [one, many] = kind === 'events' ? ['event', 'events'] : ['person', 'people'];
  return `${formatInteger(count)} ${count === 1 ? one : many}`;
}
