import type { TimeUnit } from '../../data/buckets.ts';
import type { CountedSegments } from '../../data/segmentation.ts';
import type { Counted } from '../../data/tally.ts';
import type { CensusPart } from './property-census.ts';

/** Which records a command is about, and how to read them. */
export interface Selection {
  /** Only records for which this filter is true. */
  readonly where?: string;
  /** Only events of this name. */
  readonly event?: string;
  /** The time of the query, in Unix seconds. */
  readonly now: number;
  /** Fail at the first broken line. */
  readonly strict?: boolean;
}

/** What each kind of work has to know besides. */
interface Orders {
  readonly lines: unknown;
  readonly count: { readonly unique: boolean };
  readonly segment: { readonly on: string; readonly unique: boolean; readonly unit: TimeUnit | undefined };
  readonly numbers: { readonly on: string };
  readonly properties: unknown;
}

/** What each kind of work makes of neighbouring records. */
export interface JobParts {
  /** The records as they stand in their file, a line each. */
  readonly lines: string;
  readonly count: Counted;
  readonly segment: CountedSegments;
  /** The value for each record. */
  readonly numbers: readonly number[];
  readonly properties: CensusPart;
}

export type JobKind = keyof Orders;

/** Work on records, as plain data: any thread can be given it. */
export type Job<K extends JobKind = JobKind> = { [Each in K]: Selection & { readonly kind: Each } & Orders[Each] }[K];
