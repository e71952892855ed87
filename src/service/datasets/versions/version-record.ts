import { randomBytes } from 'node:crypto';
import type { Flushed, RecordKind } from '../../store/store.ts';
import { UNSET, type Version } from './version.ts';

/** A version as stored in its file. */
export interface VersionRecord {
  readonly versionId: string;
  readonly createdAt: string;
  readonly readable: boolean;
  readonly readableAt: string;
  readonly writable: boolean;
  /** Whether queries read it by default. */
  readonly live: boolean;
  readonly readyAt: string;
  /** The kinds of records that have a log. */
  readonly logs?: readonly RecordKind[];
  /**
   * The state of its data in the store, or an earlier one. Absent before the first processing, and in versions
   * that early builds wrote.
   */
  readonly flushed?: Flushed;
  /** The version is hidden and its files are being removed. */
  readonly deleted?: true;
}

/** The fields of a version's state that a client may set. */
export interface StateChange {
  readonly readable: boolean;
  readonly writable: boolean;
}

/** Returns a unique version ID. It is hexadecimal, so that it never spells a word. */
export function createVersionId(): string {
  return randomBytes(8).toString('hex');
}

/** Returns the record of an empty version, created at `now` (ISO 8601). */
export function createVersionRecord(versionId: string, now: string): VersionRecord {
  const unset = { readable: false, readableAt: UNSET, live: false, readyAt: UNSET };
  return { versionId, createdAt: now, ...unset, writable: true };
}

/**
 * Returns the version in another state. An unreadable version is not live; one that becomes readable must be processed
 * before it is live.
 */
export function changeState(version: VersionRecord, { readable, writable }: StateChange, now: string): VersionRecord {
  const readableAt = readable && !version.readable ? now : version.readableAt;
  return { ...version, readable, readableAt, writable, live: version.live && readable };
}

/** Returns the version after all its data was processed, with the new state of its data in the store. */
export function markProcessed(version: VersionRecord, flushed: Flushed, now: string): VersionRecord {
  return { ...version, live: version.readable, readyAt: now, flushed };
}

/** Returns a creation time later than that of all `versions`, whatever the clock says. */
export function chooseCreationTime(versions: readonly Pick<VersionRecord, 'createdAt'>[], now = Date.now()): string {
  const newest = Math.max(...versions.map(({ createdAt }) => Date.parse(createdAt)));
  return new Date(Math.max(now, newest + 1)).toISOString();
}

/**
 * Returns a version as the Datasets API shows it.
 *
 * @param hasPending whether data is still to be processed
 * @param damage describes its damage, if any
 */
export function toVersion(version: VersionRecord, hasPending: boolean, damage?: string): Version {
  const { versionId, createdAt, live, readable, readableAt, readyAt, writable } = version;
  const ready = readyAt !== UNSET && !hasPending && damage === undefined;
  return {
    version_id: versionId,
    created_at: createdAt,
    is_live: live,
    state: { ready, ready_at: readyAt, readable, readable_at: readableAt, writable },
    ...(damage !== undefined && { damage }),
  };
}

/** Compares versions by creation time, oldest first. */
export function compareByAge(left: Aged, right: Aged): number {
  const age = ({ createdAt, versionId }: Aged) => `${createdAt} ${versionId}`;
  return age(left) < age(right) ? -1 : 1;
}

type Aged = Pick<VersionRecord, 'createdAt' | 'versionId'>;
