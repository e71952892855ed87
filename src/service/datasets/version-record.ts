import { randomBytes } from 'node:crypto';
import type { Flushed, RecordKind } from '../store/store.ts';
import { UNSET, type Version } from './version.ts';

/** A version as its file holds it. */
export interface VersionRecord {
  readonly versionId: string;
  readonly createdAt: string;
  readonly readable: boolean;
  readonly readableAt: string;
  readonly writable: boolean;
  /** Whether queries read it. */
  readonly live: boolean;
  readonly readyAt: string;
  /** The kinds of records that a log was begun of. */
  readonly logs?: readonly RecordKind[];
  /** What the store has of it, or more. None before anything was processed, and of versions that onwhere 0.1.0 made. */
  readonly settled?: Flushed;
  /** It is gone for everyone, and what is left of it is being removed. */
  readonly deleted?: true;
}

/** The two fields of a state that a client may set. */
export interface StateChange {
  readonly readable: boolean;
  readonly writable: boolean;
}

/** A name for a version that no other has: hexadecimal, so that it never spells a word. */
export function createVersionId(): string {
  return randomBytes(8).toString('hex');
}

/** A version without any data, at a time in ISO 8601. */
export function createVersionRecord(versionId: string, now: string): VersionRecord {
  const unset = { readable: false, readableAt: UNSET, live: false, readyAt: UNSET };
  return { versionId, createdAt: now, ...unset, writable: true };
}

/**
 * A version in another state. One that is no longer readable is no longer live; one that becomes readable is to be
 * processed first.
 */
export function changeState(version: VersionRecord, { readable, writable }: StateChange, now: string): VersionRecord {
  const readableAt = readable && !version.readable ? now : version.readableAt;
  return { ...version, readable, readableAt, writable, live: version.live && readable };
}

/** A version after all that it had been sent was processed, of which the store now has so much. */
export function markProcessed(version: VersionRecord, settled: Flushed, now: string): VersionRecord {
  return { ...version, live: version.readable, readyAt: now, settled };
}

/** When a version is made that is to be the newest of a dataset, whatever the clock says. */
export function chooseCreationTime(versions: readonly Pick<VersionRecord, 'createdAt'>[], now = Date.now()): string {
  const newest = Math.max(...versions.map(({ createdAt }) => Date.parse(createdAt)));
  return new Date(Math.max(now, newest + 1)).toISOString();
}

/** A version as the interface shows it, with data still to be processed or without, and what is damaged of it. */
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

/** Compares versions of a dataset: the one that was made first comes first. */
export function compareByAge(left: Aged, right: Aged): number {
  const age = ({ createdAt, versionId }: Aged) => `${createdAt} ${versionId}`;
  return age(left) < age(right) ? -1 : 1;
}

type Aged = Pick<VersionRecord, 'createdAt' | 'versionId'>;
