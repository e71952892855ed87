/** An inclusive range of days, `yyyy-mm-dd`, in the time zone of the project. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

/** A number of calendar units up to the current one; 1 is only the current one. */
export interface LatestUnits {
  readonly latest: number;
}

export type BucketUnit = 'minute' | 'hour' | 'day' | 'week' | 'month';

/** The count to return: events, unique users, or events per user. */
export type CountType = 'general' | 'unique' | 'average';

/** Values over time. */
export interface Series {
  /** The labels of the buckets, in order. */
  readonly buckets: readonly string[];
  readonly series: readonly NamedValues[];
}

export interface NamedValues {
  readonly name: string;
  /** One value for each bucket. */
  readonly values: readonly number[];
}

/** Counts events, one series for each. */
export interface EventsRequest {
  readonly events: readonly string[];
  readonly type: CountType;
  readonly unit: BucketUnit;
  readonly period: DateRange | LatestUnits;
}

/** Requests the most frequent events of today. */
export interface TopEventsRequest {
  readonly type: CountType;
  readonly limit: number;
}

export interface TopEvent {
  readonly event: string;
  readonly amount: number;
  /** The change from yesterday up to the same time of day: 0.5 is 50% more. 0 if yesterday had none. */
  readonly percentChange: number;
}

/** Requests the names of the most frequent events of the last 31 days. */
export interface EventNamesRequest {
  readonly type: CountType;
  readonly limit: number;
}

/** Counts an event for each value of a property, one series for each value. */
export interface PropertyRequest extends Omit<EventsRequest, 'events'> {
  readonly event: string;
  /** The name of the property. */
  readonly name: string;
  /** The values to count, written like segment names; the most frequent if undefined. */
  readonly values?: readonly string[];
  readonly limit: number;
}

/** Requests the most frequent properties of an event. */
export interface TopPropertiesRequest {
  readonly event: string;
  readonly limit: number;
}

/** A name, and the number of records with it. */
export interface NameCount {
  readonly name: string;
  readonly count: number;
}

/** Requests the most frequent values of a property of an event. */
export interface PropertyValuesRequest {
  readonly event: string;
  /** The name of the property. */
  readonly name: string;
  readonly limit: number;
}

/** Requests what the data has: which events, how many, and when. */
export interface OverviewRequest {
  /** The maximum number of events to name. */
  readonly limit: number;
}

export interface Overview {
  /** The days of all events but the first and the last 0.5%, within 20 years; undefined without events. */
  readonly dates: DateRange | undefined;
  readonly unit: BucketUnit;
  readonly buckets: readonly string[];
  /** The most frequent events over all time, with a value for each bucket. */
  readonly events: readonly (NameCount & NamedValues)[];
}

/** Requests the most frequent names over all time: of events, of their properties, or of properties of people. */
export interface NamesRequest {
  readonly of: 'events' | 'properties' | 'user';
  readonly limit: number;
}

/** A value of a property, written like a segment name, and the number of events that have it. */
export interface ValueCount extends NameCount {
  /** The type of the property in these events. */
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'list';
}

/** Requests the most frequent values of a property over all events; elements of lists are values of their own. */
export interface ValuesRequest {
  readonly scope: 'properties' | 'user';
  readonly name: string;
  readonly limit: number;
}

/** Counts an event in each segment. */
export interface SegmentationRequest {
  readonly event: string;
  readonly dates: DateRange;
  readonly type: CountType;
  readonly unit: BucketUnit;
  /** The number of days of a bucket, instead of `unit`. */
  readonly interval?: number;
  readonly on?: string;
  readonly where?: string;
  /** The maximum number of segments; those with the highest total are shown. */
  readonly limit: number;
}

/** Counts an event in each of several equal ranges of a number. */
export interface NumericRequest {
  readonly event: string;
  readonly dates: DateRange;
  /** Here, `average` is users per event. */
  readonly type: CountType;
  readonly unit: 'hour' | 'day';
  readonly on: string;
  readonly where?: string;
  /** The maximum number of ranges. */
  readonly buckets: number;
}

/** Requests the sum or the mean of a number over the events of each bucket. */
export interface AggregateRequest {
  readonly aggregate: 'sum' | 'average';
  readonly event: string;
  readonly dates: DateRange;
  readonly unit: 'hour' | 'day';
  /** Values that are not numbers count as 0. */
  readonly on: string;
  readonly where?: string;
}

export interface FunnelStepFilter {
  readonly event: string;
  readonly where?: string;
}

/** Counts the users who reach each step of a funnel. */
export interface FunnelRequest {
  readonly steps: readonly FunnelStepFilter[];
  /** The days on which the first step may happen. */
  readonly dates: DateRange;
  /** The conversion window: seconds from the first step within which all others must happen. */
  readonly length: number;
  readonly bucket: Bucket;
  /** Segments users by the event of the first step. */
  readonly on?: string;
  /** Filters the events of all steps. */
  readonly where?: string;
  /** The maximum number of segments; those with the most users at the first step are shown. */
  readonly limit: number;
}

/** A bucket: a number of days from the first date on, or a calendar unit. */
export type Bucket = { readonly days: number } | { readonly unit: 'day' | 'week' | 'month' };

interface FunnelStepResult {
  readonly event: string;
  readonly count: number;
  /** The share of users of the previous step, and of the first: 0 to 1, and 0 of none. 1 at the first step. */
  readonly stepRatio: number;
  readonly overallRatio: number;
  /** The mean seconds since the previous step; null at the first step and without users. */
  readonly averageTime: number | null;
}

export interface FunnelResult {
  readonly dates: readonly string[];
  readonly overall: readonly FunnelDate[];
  /** Present with `on`. Each has one entry for each date. */
  readonly segments?: readonly { readonly name: string; readonly dates: readonly FunnelDate[] }[];
}

/** The steps of the users whose first step is in a bucket. */
export type FunnelDate = readonly FunnelStepResult[];

/** Counts the users who come back. */
export interface RetentionRequest {
  readonly dates: DateRange;
  /** Whether a cohort starts at a user's first born event ever (`birth`), or at each event in the dates. */
  readonly type: 'birth' | 'compounded';
  /** Only for `birth`. */
  readonly bornEvent?: string;
  readonly bornWhere?: string;
  /** The event that counts as coming back; any event if undefined. */
  readonly event?: string;
  readonly where?: string;
  readonly bucket: Bucket;
  /** The number of buckets counted after that of the cohort, besides its own. */
  readonly intervalCount: number;
  /** Segments users by the event that starts their cohort. */
  readonly on?: string;
  readonly limit: number;
}

export interface Cohort {
  /** The number of users in the cohort. */
  readonly first: number;
  /** The number of users who came back in its own bucket and in each after that. */
  readonly counts: readonly number[];
}

/** A value for each bucket of dates: for all users, or with `on` for each segment. */
export interface ByDate<Value> {
  readonly dates: readonly string[];
  readonly overall?: readonly Value[];
  readonly segments?: readonly { readonly name: string; readonly dates: readonly Value[] }[];
}

/** Counts the users who were active in at least n units of each period. */
export interface AddictionRequest {
  readonly dates: DateRange;
  /** The length of a period. */
  readonly unit: 'day' | 'week' | 'month';
  /** The units counted in a period. */
  readonly addictionUnit: 'hour' | 'day';
  /** Any event if undefined. */
  readonly event?: string;
  readonly where?: string;
  readonly on?: string;
  readonly limit: number;
}

/** `addiction[n]`: the number of users who did the event in at least n + 1 units of the period. */
export type Addiction = readonly number[];

/** The queries of events. */
export interface Queries {
  events(request: EventsRequest): Promise<Series>;
  topEvents(request: TopEventsRequest): Promise<readonly TopEvent[]>;
  /** In descending alphabetical order. */
  eventNames(request: EventNamesRequest): Promise<readonly string[]>;
  property(request: PropertyRequest): Promise<Series>;
  topProperties(request: TopPropertiesRequest): Promise<readonly NameCount[]>;
  propertyValues(request: PropertyValuesRequest): Promise<readonly string[]>;
  overview(request: OverviewRequest): Promise<Overview>;
  names(request: NamesRequest): Promise<readonly NameCount[]>;
  values(request: ValuesRequest): Promise<readonly ValueCount[]>;
  segmentation(request: SegmentationRequest): Promise<Series>;
  numeric(request: NumericRequest): Promise<Series>;
  /** One series, named after the event. A sum that exceeds a double is infinite. */
  aggregate(request: AggregateRequest): Promise<Series>;
  funnel(request: FunnelRequest): Promise<FunnelResult>;
  retention(request: RetentionRequest): Promise<ByDate<Cohort>>;
  addiction(request: AddictionRequest): Promise<ByDate<Addiction>>;
}

export type QueryName = keyof Queries;
export type RequestOf<Name extends QueryName> = Parameters<Queries[Name]>[0];
export type ResultOf<Name extends QueryName> = Awaited<ReturnType<Queries[Name]>>;

/** A query and the format of its answer. */
export interface QueryJob<Name extends QueryName> {
  readonly name: Name;
  readonly request: RequestOf<Name>;
  /** Identifies the output format of the result. */
  readonly format: string;
  /** Writes the answer in pieces. Other requests are served between two pieces. */
  write(result: ResultOf<Name>): Iterable<string>;
}
