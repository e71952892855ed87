import type { EventRecord } from './event-record.ts';

/** Some neighbouring records of a file: reading by batches spares a consumer an `await` for each record. */
export interface EventBatch {
  readonly records: readonly EventRecord[];
  /** The header row of a CSV file as it stands there, with every batch; its first batch comes even without records. */
  readonly header?: string;
}
