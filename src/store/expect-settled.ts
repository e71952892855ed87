import { formatInteger } from '../util/counted.ts';
import { RECORD_KINDS, type RecordKind, type Settled, type StoredVersion } from './store.ts';
import { DamagedVersionError } from './store-error.ts';

/**
 * Compares what a store has of a version with what was settled. The store may have more: a settle that was not noted
 * yet, since the process ended before, and that is repeated.
 *
 * @throws {DamagedVersionError} where it has less.
 */
export function expectSettled({ id, settled }: StoredVersion, found: Settled): void {
  if (settled === undefined) return;
  const missing = RECORD_KINDS.filter((kind) => !isWhole(settled, found, kind));
  if (missing.length === 0) return;
  const counts = missing.map((kind) => `${found[kind].records} of ${namedCount(kind, settled[kind].records)}`);
  throw new DamagedVersionError(id, `the store has ${counts.join(' and ')}`);
}

function isWhole(settled: Settled, found: Settled, kind: RecordKind): boolean {
  const { records, segment } = found[kind];
  if (segment === settled[kind].segment) return records === settled[kind].records;
  return segment > settled[kind].segment;
}

/** A number of records, as people say it: `1 event`, `2,000 people`. */
export function namedCount(kind: RecordKind, count: number): string {
  const [one, many] = kind === 'events' ? ['event', 'events'] : ['person', 'people'];
  return `${formatInteger(count)} ${count === 1 ? one : many}`;
}
