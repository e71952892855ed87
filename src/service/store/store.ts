import type { Properties } from '../../lang/value.ts';
import type { LogFile } from '../storage/log-files.ts';
import type { SnapshotOptions, StoreSnapshot } from './store-snapshot.ts';

/** The kinds of records of a version. Each has its own log and table. */
export type RecordKind = 'events' | 'people';

export const RECORD_KINDS: readonly RecordKind[] = ['events', 'people'];

/** The flushed records of one kind. */
export interface FlushedRecords {
  readonly records: number;
  /** The name of the last flushed log file; empty if there is none. */
  readonly lastFile: string;
}

/** The flushed records of a version. */
export type Flushed = Readonly<Record<RecordKind, FlushedRecords>>;

/** A version, as a store is told of it. */
export interface StoredVersion {
  /** Unique among all versions; letters and digits only. */
  readonly id: string;
  /** The folder in which the store may keep the records. */
  readonly folder: string;
  /**
   * The records that were flushed before. A store that has fewer throws a {@link DamagedVersionError} instead of
   * reading or adding records. If it is absent, nothing is checked.
   */
  readonly flushed?: Flushed | undefined;
}

/** An imported event, without the token of its project. */
export interface StoredEvent {
  readonly event: string;
  /** Includes `distinct_id`, `time` and, if it was sent, `$insert_id`. */
  readonly properties: Properties;
}

/** A profile after all its updates. */
export interface StoredPerson {
  readonly distinctId: string;
  readonly properties: Properties;
}

export interface LoadOptions {
  /** Called from time to time with the fraction of the work that is done, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** The state of a version before its first flush. */
export const NOTHING_FLUSHED: Flushed = { events: { records: 0, lastFile: '' }, people: { records: 0, lastFile: '' } };

/** Stores the records of versions in a queryable layout. */
export interface Store {
  /**
   * Adds the records of log files to a version, all or none. Skips files whose name was added before, so that a
   * caller can repeat the call after a failure.
   *
   * @throws {StoreError} if the database fails, for example because the disk is full.
   * @throws {DamagedVersionError}
   */
  flush(version: StoredVersion, kind: RecordKind, files: readonly LogFile[]): Promise<void>;

  /**
   * Loads the events of an NDJSON file, gzipped or not, directly into a version. Returns false and adds nothing unless
   * the store certainly reads every record as an import does.
   */
  loadFile?(version: StoredVersion, file: string, options: LoadOptions): Promise<boolean>;

  /**
   * Returns the flushed records of a version; {@link NOTHING_FLUSHED} for an unknown version.
   *
   * @throws {DamagedVersionError}
   */
  readFlushed(version: StoredVersion): Promise<Flushed>;

  /**
   * Reads all flushed records of a version, so that the database checks them for damage.
   *
   * @throws {DamagedVersionError}
   */
  verify(version: StoredVersion): Promise<void>;

  /** Streams the flushed events by time, as they are at the first read, even if the version is dropped meanwhile. */
  events(version: StoredVersion): AsyncIterable<StoredEvent>;

  /** Streams the flushed people by `distinctId` in code-point order. Otherwise like {@link Store.events}. */
  people(version: StoredVersion): AsyncIterable<StoredPerson>;

  /**
   * Runs `work` with versions that it can query in SQL, and returns its result. Flushes and other reads go on
   * meanwhile. `work` may run again: after a crash of the database, and, without a snapshot, if a version changed
   * meanwhile.
   *
   * @throws {DamagedVersionError}
   */
  read<Result>(
    versions: readonly StoredVersion[],
    work: (snapshot: StoreSnapshot) => Promise<Result>,
    options?: SnapshotOptions,
  ): Promise<Result>;

  /**
   * Does the next part of the work that makes queries of a version faster, once its records have changed: promotes
   * properties that have become frequent, and counts events by hour. Returns whether there was any, so that there may
   * be more. Flushes and reads go on between parts, and a kill loses nothing.
   *
   * @throws {DamagedVersionError}
   */
  optimize?(version: StoredVersion): Promise<boolean>;

  /** Removes a version once no read uses it. Does nothing if it is unknown. */
  drop(version: StoredVersion): Promise<void>;

  close(): Promise<void>;
}
