import type { Compiled } from '../../api/expressions.ts';
import type { EventRecord, MissingField } from '../../data/event-record.ts';
import type { Job, JobKind, JobParts } from './job.ts';

/** Folds records into the partial result of a job. */
export interface Aggregator<Part> {
  /** The expressions of the job besides its filter. */
  readonly expressions?: readonly Compiled<unknown>[];
  /** Whether it reads the name of the event as a property. */
  readonly readsEventName?: boolean;
  /** The properties it reads besides those of the expressions. Undefined means all. */
  readonly names?: readonly string[];
  /** Adds a record, or returns the field that it lacks. */
  add(record: EventRecord): MissingField | undefined;
  /** Returns and resets the partial result: plain data that can be sent to another thread. */
  take(): Part;
}

/** The properties that hold the user of a record. */
export const USER_NAMES = ['distinct_id', '$distinct_id'];

/** Creates the aggregator of a job. Throws if an expression does not compile. */
export type MakeAggregator<K extends JobKind> = (job: Job<K>) => Aggregator<JobParts[K]>;
