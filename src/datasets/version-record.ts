import { randomBytes } from 'node:crypto';
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
  /** It is gone for everyone, and what is left of it is being removed. */
  readonly deleted?: true;
}

/** The two fields of a state that a client may set. */
export interface StateChange {
  readonly readable: boolean;
  readonly writable: boolean;
}

/** A name for a version that no other has: hexadecimal, so that it never spells a word. */
export function newVersionId(): string {
  return randomBytes(8).toString('hex');
}

/** A version without any data, at a time in ISO 8601. */
export function newVersion(versionId: string, now: string): VersionRecord {
  const unset = { readable: false, readableAt: UNSET, live: false, readyAt: UNSET };
  return { versionId, createdAt: now, ...unset, writable: true };
}

/** A version in another state. One that is no longer readable is no longer live; one that becomes readable is to be processed first. */
export function withState(version: VersionRecord, { readable, writable }: StateChange, now: string): VersionRecord {
  const readableAt = readable && !version.readable ? now : version.readableAt;
  return { ...version, readable, readableAt, writable, live: version.live && readable };
}

/** A version after all that it had been sent was processed. */
export function processed(version: VersionRecord, now: string): VersionRecord {
  return { ...version, live: version.readable, readyAt: now };
}

/** A version as the interface shows it, with data still to be processed or without. */
export function toVersion(version: VersionRecord, hasPending: boolean): Version {
  const { versionId, createdAt, live, readable, readableAt, readyAt, writable } = version;
  const ready = readyAt !== UNSET && !hasPending;
  return {
    version_id: versionId,
    created_at: createdAt,
    is_live: live,
    state: { ready, ready_at: readyAt, readable, readable_at: readableAt, writable },
  };
}

/** Compares versions of a dataset: the one that was made first comes first. */
export function byAge(left: Aged, right: Aged): number {
  const age = ({ createdAt, versionId }: Aged) => `${createdAt} ${versionId}`;
  return age(left) < age(right) ? -1 : 1;
}

type Aged = Pick<VersionRecord, 'createdAt' | 'versionId'>;
