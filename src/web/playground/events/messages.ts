import type { TimeUnit } from '../../../data/buckets.ts';
import type { SegmentationResult } from '../../../data/segmentation.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import type { ExpressionTypeError } from '../../../lang/errors.ts';
import type { Properties } from '../../../lang/value.ts';

/** The source of events: the sample, a local file, or the file that `onwhere play` serves. */
export type EventsSource =
  | { readonly kind: 'sample' }
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'served'; readonly name: string };

/** A query over the events. An empty `where` selects all events; an empty `on` makes no groups. */
export interface EventsQuery {
  readonly where: string;
  readonly on: string;
  readonly unit: TimeUnit;
  /** Whether to rank groups, and draw them over time, by unique users instead of events. */
  readonly unique: boolean;
  /** Unix seconds. */
  readonly now: number;
}

/** The events to list. */
export const CHOICES = ['matching', 'others', 'all'] as const;

export type Choice = (typeof CHOICES)[number];

/** The state of reading a source. */
export interface Opened {
  readonly name: string;
  readonly events: number;
  readonly broken: number;
  /** Messages about the first broken records. */
  readonly problems: readonly string[];
  /** The reason why the file was not read to its end. */
  readonly end: string | undefined;
  readonly done: boolean;
  /** The schema of the events, once all are read. */
  readonly schema?: Schema;
}

/** A type error and the index of the event that raised it. */
export type QueryFailure = { readonly index: number; readonly part: 'where' | 'on' } & Pick<
  ExpressionTypeError,
  'source' | 'operator' | 'found' | 'span'
>;

/** The groups of the matching events. */
export interface SegmentsResult {
  /** Ranked by events or, if `unique`, by users. */
  readonly totals: SegmentationResult;
  /** The events and users of each group in {@link totals}. */
  readonly events: ReadonlyMap<string, number>;
  readonly users: ReadonlyMap<string, number>;
  readonly overTime: SegmentationResult;
  /** The number of matching events without a time, which the chart lacks, and without a user. */
  readonly lacking: { readonly time: number; readonly distinct_id: number };
}

/** The result of a query. */
export interface EventsResult {
  readonly query: EventsQuery;
  readonly events: number;
  readonly matching: number;
  /** The unique users of the matching events. */
  readonly users: number;
  readonly segments: SegmentsResult | undefined;
  readonly failure: QueryFailure | undefined;
}

/** An event to show. */
export interface EventRow {
  readonly index: number;
  readonly line: number;
  /** Undefined if the query failed before it reached this event. */
  readonly matches: boolean | undefined;
  readonly event: string | undefined;
  readonly time: number | undefined;
  readonly distinctId: string | undefined;
  readonly properties: Properties;
  readonly user: Properties | undefined;
}

/** A page of a list, and the length of the whole list. */
export interface Page {
  readonly rows: readonly EventRow[];
  readonly count: number;
}

export type Request =
  | { readonly kind: 'open'; readonly source: EventsSource }
  | { readonly kind: 'run'; readonly query: EventsQuery }
  | {
      readonly kind: 'list';
      readonly id: number;
      readonly choice: Choice;
      readonly from: number;
      readonly max: number;
    };

export type Reply =
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'result'; readonly result: EventsResult }
  | { readonly kind: 'page'; readonly id: number; readonly page: Page };
