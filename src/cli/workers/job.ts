import type { TimeUnit } from '../../data/buckets.ts';
import type { CountedSegments } from '../../data/segmentation.ts';
import type { Counted } from '../../data/tally.ts';
import type { CensusPart } from './property-census.ts';

/** The records that a command selects, and how to read them. */
export interface Selection {
  /** Only records that match this filter. */
  readonly where?: string;
  /** Only events with this name. */
  readonly event?: string;
  /** The time of the query, in Unix seconds. */
  readonly now: number;
  /** Fail at the first broken line. */
  readonly strict?: boolean;
}

/** The parameters of each kind of job. */
interface JobParameters {
  readonly lines: unknown;
  readonly count: { readonly unique: boolean };
  readonly segment: { readonly on: string; readonly unique: boolean; readonly unit: TimeUnit | undefined };
  readonly numbers: { readonly on: string };
  readonly properties: unknown;
}

/** The partial results of each kind of job. */
export interface JobParts {
  /** The unchanged records, one per line. */
  readonly lines: string;
  readonly count: Counted;
  readonly segment: CountedSegments;
  /** The value for each record. */
  readonly numbers: readonly number[];
  readonly properties: CensusPart;
}

export type JobKind = keyof JobParameters;

/** Work on records, as plain data that can be sent to any thread. */
export type Job<K extends JobKind = JobKind> = {
  [Each in K]: Selection & { readonly kind: Each } & JobParameters[Each];
}[K];
