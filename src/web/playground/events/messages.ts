import type { TimeUnit } from '../../../data/buckets.ts';
import type { SegmentationResult } from '../../../data/segmentation.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import type { ExpressionTypeError } from '../../../lang/errors.ts';
import type { Properties } from '../../../lang/value.ts';

/** Where events come from: the sample, a file of the person's, or the file that `onwhere play` was started with. */
export type EventsSource =
  | { readonly kind: 'sample' }
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'served'; readonly name: string };

/** What is asked of the events. An empty text selects every event, or makes no segments. */
export interface EventsQuery {
  readonly where: string;
  readonly on: string;
  readonly unit: TimeUnit;
  /** Rank segments and draw them over time by distinct users, not by events. */
  readonly unique: boolean;
  /** Unix seconds. */
  readonly now: number;
}

/** Which events to list. */
export const CHOICES = ['matching', 'others', 'all'] as const;

export type Choice = (typeof CHOICES)[number];

/** What was read so far, or altogether. */
export interface Opened {
  readonly name: string;
  readonly events: number;
  readonly broken: number;
  /** The first of the broken records, in words. */
  readonly problems: readonly string[];
  /** Why the file was not read to its end. */
  readonly end: string | undefined;
  readonly done: boolean;
  /** What was found out about the properties, once everything is read. */
  readonly schema?: Schema;
}

/** A type error and the event that raised it, by its index. */
export type OpenFailure = { readonly index: number; readonly part: 'where' | 'on' } & Pick<
  ExpressionTypeError,
  'source' | 'operator' | 'found' | 'span'
>;

/** The segments of the selected events. */
export interface SegmentsAnswer {
  /** Ranked by what is asked for: events or users. */
  readonly totals: SegmentationResult;
  /** Events and users of each segment in {@link totals}. */
  readonly events: ReadonlyMap<string, number>;
  readonly users: ReadonlyMap<string, number>;
  readonly overTime: SegmentationResult;
  /** How many selected events are not in the chart or not among the users. */
  readonly lacking: { readonly time: number; readonly distinct_id: number };
}

/** What the events answer to a query. */
export interface EventsAnswer {
  readonly query: EventsQuery;
  readonly events: number;
  readonly matching: number;
  /** The distinct users of the selected events. */
  readonly users: number;
  readonly segments: SegmentsAnswer | undefined;
  readonly failure: OpenFailure | undefined;
}

/** An event to show. */
export interface EventRow {
  readonly index: number;
  readonly line: number;
  /** Undefined where the query failed before this event was judged. */
  readonly matches: boolean | undefined;
  readonly event: string | undefined;
  readonly time: number | undefined;
  readonly distinctId: string | undefined;
  readonly properties: Properties;
  readonly user: Properties | undefined;
}

/** Neighbouring events of a list, and how many there are in all. */
export interface Page {
  readonly rows: readonly EventRow[];
  readonly count: number;
}

export type Request =
  | { readonly kind: 'open'; readonly source: EventsSource }
  | { readonly kind: 'ask'; readonly query: EventsQuery }
  | {
      readonly kind: 'list';
      readonly id: number;
      readonly choice: Choice;
      readonly from: number;
      readonly most: number;
    };

export type Reply =
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'answer'; readonly answer: EventsAnswer }
  | { readonly kind: 'page'; readonly id: number; readonly page: Page };
