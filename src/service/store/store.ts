import type { Properties } from '../../lang/value.ts';
import type { LogSegment } from '../storage/segment-folder.ts';
import type { SnapshotOptions, StoreSnapshot } from './store-snapshot.ts';

/** What a version holds, each with a log and a table of its own. */
export type RecordKind = 'events' | 'people';

export const RECORD_KINDS: readonly RecordKind[] = ['events', 'people'];

/** What is flushed of a version's records of one kind. */
export interface FlushedRecords {
  readonly records: number;
  /** The name of the last segment; empty before the first. */
  readonly segment: string;
}

export type Flushed = Readonly<Record<RecordKind, FlushedRecords>>;

/** What a store knows a version by. */
export interface StoredVersion {
  /** Letters and digits, different from those of all other versions. */
  readonly id: string;
  /** Where on disk it may keep what it has of the version. */
  readonly folder: string;
  /**
   * What was flushed. A store that has less throws a {@link DamagedVersionError} instead of reading or adding to it.
   * Without it, nothing is expected.
   */
  readonly flushed?: Flushed | undefined;
}

/** An event as it was imported, without its project's token. */
export interface StoredEvent {
  readonly event: string;
  /** With `distinct_id`, `time` and, where there was one, `$insert_id`. */
  readonly properties: Properties;
}

/** What all updates of a person came to. */
export interface StoredPerson {
  readonly distinctId: string;
  readonly properties: Properties;
}

export interface LoadOptions {
  /** Told now and then which part of the work is done. */
  readonly onProgress?: (part: number) => void;
}

/** Before anything is flushed. */
export const NOTHING_FLUSHED: Flushed = { events: { records: 0, segment: '' }, people: { records: 0, segment: '' } };

/** The records of versions in their queryable layout. */
export interface Store {
  /**
   * Adds what segments of a version's log hold, all of it or nothing. What was added before, by a segment of the same
   * name, is not added again, so that a caller who does not know how far it came repeats the call.
   *
   * @throws {StoreError} where the database cannot take them, such as for want of disk space.
   * @throws {DamagedVersionError}
   */
  flush(version: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void>;

  /**
   * Adds the events of a file of NDJSON, gzipped or not, where the store can read it by itself and beyond doubt as an
   * import would; otherwise false, and nothing is added.
   */
  loadFile?(version: StoredVersion, file: string, options: LoadOptions): Promise<boolean>;

  /**
   * What is flushed; no records for a version that nothing was flushed of.
   *
   * @throws {DamagedVersionError}
   */
  readFlushed(version: StoredVersion): Promise<Flushed>;

  /**
   * Reads all that is flushed, whereas the database checks other reads only as far as they go.
   *
   * @throws {DamagedVersionError}
   */
  verify(version: StoredVersion): Promise<void>;

  /** The flushed events, by time. Later changes do not show, and a version that is dropped is read to its end. */
  events(version: StoredVersion): AsyncIterable<StoredEvent>;

  /** The flushed people, by `distinctId` in code-point order. As `events`. */
  people(version: StoredVersion): AsyncIterable<StoredPerson>;

  /**
   * Lends versions for questions in SQL until the work is done. Flushes go on meanwhile, and so does whoever else
   * reads. The work may be done again: for a version that has changed meanwhile, unless it lends a snapshot, and where
   * the database ends under it.
   *
   * @throws {DamagedVersionError}
   */
  read<Result>(
    versions: readonly StoredVersion[],
    work: (reading: StoreSnapshot) => Promise<Result>,
    options?: SnapshotOptions,
  ): Promise<Result>;

  /** Forgets a version, once nothing reads it any more. Does nothing where it is unknown. */
  drop(version: StoredVersion): Promise<void>;

  close(): Promise<void>;
}
