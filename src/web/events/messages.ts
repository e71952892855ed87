import type { TimeUnit } from '../../data/buckets.ts';
import type { TableOptions } from '../../data/csv-table.ts';
import type { DescribedField, NestedProperty } from '../../data/describe-fields.ts';
import type { FieldMapping } from '../../data/field-mapping.ts';
import type { FormatOptions } from '../../data/file-format.ts';
import type { AbsentName } from '../../data/name-census.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { ExpressionTypeError } from '../../lang/errors.ts';
import type { Properties } from '../../lang/value.ts';
import type { RecordNotes } from './memory-records.ts';

/** Events of a server and the people who have them, as lines of an export. */
export interface ServerSample {
  readonly name: string;
  readonly events: readonly string[];
  readonly people: readonly string[];
}

/** A source of events: the sample, a file chosen on the page, the file that `onwhere play` serves, or events of a server. */
export type EventsSource =
  | { readonly kind: 'sample' }
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'served'; readonly name: string }
  | ({ readonly kind: 'lines' } & ServerSample);

/** How to read a file, as far as someone has chosen it. The rest is guessed. */
export interface ReadingChoices extends Pick<FormatOptions, 'delimiter' | 'encoding' | 'records'>, TableOptions {
  readonly fields: FieldMapping;
  /** Replace nested objects by properties with dotted names. */
  readonly flatten: boolean;
  /** The time zone of days, and of dates without one in expressions. Default: UTC. */
  readonly timeZone?: string | undefined;
}

/** How to read a file, guessed from its start. */
export interface FileShape {
  /** The records of the tool that wrote the file, as in “Segment calls”; undefined if it is unknown. */
  readonly title: string | undefined;
  readonly fields: readonly DescribedField[];
  /** The columns of the first records. */
  readonly columns: readonly string[];
  /** A property in a nested object that is not replaced. */
  readonly nested: NestedProperty | undefined;
  /** The lists that may be the records of JSON with a single object, with their names joined by dots. */
  readonly lists: readonly string[];
  /** The delimiter of CSV. */
  readonly delimiter: string | undefined;
}

/** A query over the events. An empty `where` selects every event; an empty `on` creates no segments. */
export interface EventsQuery {
  readonly where: string;
  readonly on: string;
  readonly unit: TimeUnit;
  /** Count distinct users, not events. */
  readonly unique: boolean;
  /** Unix seconds. */
  readonly now: number;
  /** The time zone of days, and of dates without one in expressions. */
  readonly timeZone: string;
}

/** A filter whose parts are counted. */
export type CountQuery = Pick<EventsQuery, 'where' | 'now' | 'timeZone'>;

/** Which events to list. */
export const CHOICES = ['matching', 'others', 'all'] as const;

export type Choice = (typeof CHOICES)[number];

/** The progress of reading a file. */
export interface LoadProgress {
  readonly name: string;
  readonly events: number;
  readonly broken: number;
  /** Descriptions of the first broken records. */
  readonly problems: readonly string[];
  /** Why reading stopped before the end of the file. */
  readonly end: string | undefined;
  readonly done: boolean;
  /** Guessed from the start of a file; undefined for the sample and until it is read. */
  readonly shape: FileShape | undefined;
  /** The inferred schema, once everything is read. */
  readonly schema?: Schema;
  /** Differences between the file and the events that questions read, once everything is read. */
  readonly notes?: RecordNotes;
}

/** A type error, and the index of the event that raised it. */
export type QueryFailure = { readonly index: number; readonly part: 'where' | 'on' } & Pick<
  ExpressionTypeError,
  'source' | 'operator' | 'found' | 'span'
>;

/** The segments of the selected events. */
export interface SegmentsResult {
  /** The events or users of the top segments, highest first. */
  readonly totals: ReadonlyMap<string, number>;
  /** The number of other segments. */
  readonly others: number;
  /** The labels of all buckets from the first to the last with data. */
  readonly series: readonly string[];
  /** The same of events with a time, by bucket without empty ones. */
  readonly overTime: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** How many selected events have no time or no user. */
  readonly missing: { readonly time: number; readonly distinct_id: number };
}

/** The result of a query. */
export interface EventsResult {
  readonly query: EventsQuery;
  readonly events: number;
  readonly matching: number;
  /** The distinct users of the selected events. */
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

/** A page of a list of events, and the length of the list. */
export interface Page {
  readonly rows: readonly EventRow[];
  readonly count: number;
}

/** The response of an endpoint: its JSON, or an error with the status that a server would send. */
export type RequestAnswer = { readonly json: string } | { readonly status: number; readonly message: string };

export type Request =
  | { readonly kind: 'open'; readonly source: EventsSource; readonly choices: ReadingChoices }
  | { readonly kind: 'query'; readonly query: EventsQuery }
  /** A question with one answer: its name and arguments, as `answers` in `worker.ts` has them. */
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly given: readonly unknown[] };

export type Reply =
  | { readonly kind: 'progress'; readonly progress: LoadProgress }
  | { readonly kind: 'result'; readonly result: EventsResult }
  /** Follows a result if its expressions name something that no event has. */
  | { readonly kind: 'absent'; readonly query: EventsQuery; readonly absent: readonly AbsentName[] }
  /** The answer of the question with this id. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };
