import type { Properties } from '../language/value.ts';
import type { LogSegment } from '../storage/log-segment.ts';
import type { Reading, ReadOptions } from './reading.ts';

/** What a version holds, each with a log and a table of its own. */
export type RecordKind = 'events' | 'people';

export const RECORD_KINDS: readonly RecordKind[] = ['events', 'people'];

/** What a store knows a version by. */
export interface StoredVersion {
  /** Letters and digits, different from those of all other versions. */
  readonly id: string;
  /** Where on disk it may keep what it has of the version. */
  readonly folder: string;
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

/** The records of versions in their queryable layout. */
export interface Store {
  /**
   * Adds what segments of a version's log hold, all of it or nothing. What was added before, by a segment of the same name, is not
   * added again, so that a caller who does not know how far it came repeats the call.
   *
   * @throws {StoreError} where the database cannot take them, such as for want of disk space.
   */
  settle(version: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void>;

  /**
   * Adds the events of a file of NDJSON, gzipped or not, where the store can read it by itself and beyond doubt as an import would;
   * otherwise false, and nothing is added.
   */
  loadFile?(version: StoredVersion, file: string, options: LoadOptions): Promise<boolean>;

  /** How many records are settled; 0 for a version that nothing was settled of. */
  count(version: StoredVersion, kind: RecordKind): Promise<number>;

  /** The settled events, by time. Later changes do not show, and a version that is dropped is read to its end. */
  events(version: StoredVersion): AsyncIterable<StoredEvent>;

  /** The settled people, by `distinctId` in code-point order. As `events`. */
  people(version: StoredVersion): AsyncIterable<StoredPerson>;

  /**
   * Lends versions for questions in SQL until the work is done. Settles go on meanwhile, and so does whoever else reads. The work may be done again: for a
   * version that has changed meanwhile, unless it lends a snapshot, and where the database ends under it.
   */
  read<Result>(
    versions: readonly StoredVersion[],
    work: (reading: Reading) => Promise<Result>,
    options?: ReadOptions,
  ): Promise<Result>;

  /** Forgets a version, once nothing reads it any more. Does nothing where it is unknown. */
  drop(version: StoredVersion): Promise<void>;

  close(): Promise<void>;
}
