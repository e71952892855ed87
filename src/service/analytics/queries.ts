/** Days in the time zone of the project, `yyyy-mm-dd`, both of them inclusive. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

/** Units of time up to the present one: 1 is the present one alone. */
export interface LatestUnits {
  readonly latest: number;
}

export type BucketUnit = 'minute' | 'hour' | 'day' | 'week' | 'month';

/** What is counted: events, the users who did them, or events for each of these. */
export type CountType = 'general' | 'unique' | 'average';

/** Numbers over time. */
export interface Series {
  /** The labels of the buckets, in order. */
  readonly buckets: readonly string[];
  readonly series: readonly NamedValues[];
}

export interface NamedValues {
  readonly name: string;
  /** A number for each bucket. */
  readonly values: readonly number[];
}

/** How often events were done, a series for each. */
export interface EventsRequest {
  readonly events: readonly string[];
  readonly type: CountType;
  readonly unit: BucketUnit;
  readonly period: DateRange | LatestUnits;
}

/** Which events were done most today. */
export interface TopEventsRequest {
  readonly type: CountType;
  readonly limit: number;
}

export interface TopEvent {
  readonly event: string;
  readonly amount: number;
  /** Against yesterday until the same time of day: 0.5 is half as many more. 0 where there was nothing by then. */
  readonly percentChange: number;
}

/** The names of the events that were most frequent over the last 31 days. */
export interface EventNamesRequest {
  readonly type: CountType;
  readonly limit: number;
}

/** How often an event was done with each value of a property, a series for each. */
export interface PropertyRequest extends Omit<EventsRequest, 'events'> {
  readonly event: string;
  /** Of the property. */
  readonly name: string;
  /** The values that are asked for, as segments are named; without them, the most frequent. */
  readonly values?: readonly string[];
  readonly limit: number;
}

/** The most frequent properties of an event. */
export interface TopPropertiesRequest {
  readonly event: string;
  readonly limit: number;
}

export interface TopProperty {
  readonly name: string;
  readonly count: number;
}

/** The most frequent values of a property of an event. */
export interface PropertyValuesRequest {
  readonly event: string;
  /** Of the property. */
  readonly name: string;
  readonly limit: number;
}

/** How often an event was done, in each segment. */
export interface SegmentationRequest {
  readonly event: string;
  readonly dates: DateRange;
  readonly type: CountType;
  readonly unit: BucketUnit;
  /** How many days a bucket has, instead of the unit. */
  readonly interval?: number;
  readonly on?: string;
  readonly where?: string;
  /** How many segments are shown, those with the greatest total. */
  readonly limit: number;
}

/** How often an event was done in each of equal ranges of a number. */
export interface NumericRequest {
  readonly event: string;
  readonly dates: DateRange;
  /** `average` is users for each event here. */
  readonly type: CountType;
  readonly unit: 'hour' | 'day';
  readonly on: string;
  readonly where?: string;
  /** How many ranges there are at most. */
  readonly buckets: number;
}

/** The sum, or the mean, of a number over the events of each bucket. */
export interface AggregateRequest {
  readonly aggregate: 'sum' | 'average';
  readonly event: string;
  readonly dates: DateRange;
  readonly unit: 'hour' | 'day';
  /** What is no number counts as 0. */
  readonly on: string;
  readonly where?: string;
}

export interface FunnelStepFilter {
  readonly event: string;
  readonly where?: string;
}

/** How far users come on a way of several events. */
export interface FunnelRequest {
  readonly steps: readonly FunnelStepFilter[];
  /** When the first step may be done. */
  readonly dates: DateRange;
  /** Seconds from the first step within which all others are done. */
  readonly length: number;
  readonly bucket: Bucket;
  /** Read from the event of the first step. */
  readonly on?: string;
  /** For the events of all steps. */
  readonly where?: string;
  /** How many segments are shown, those with the most users at the first step. */
  readonly limit: number;
}

/** A bucket of days: so many of them from the first date on, or a unit of the calendar. */
export type Bucket = { readonly days: number } | { readonly unit: 'day' | 'week' | 'month' };

interface FunnelStepResult {
  readonly event: string;
  readonly count: number;
  /** Of the users of the step before, and of those of the first: from 0 to 1, 0 of none. 1 at the first step. */
  readonly stepRatio: number;
  readonly overallRatio: number;
  /** Mean seconds since the step before; null at the first step, and where nobody came. */
  readonly averageTime: number | null;
}

export interface FunnelResult {
  readonly dates: readonly string[];
  readonly overall: readonly FunnelDate[];
  /** With `on`. Each has something for each of the dates. */
  readonly segments?: readonly { readonly name: string; readonly dates: readonly FunnelDate[] }[];
}

/** The steps of the users whose first step fell into a bucket. */
export type FunnelDate = readonly FunnelStepResult[];

/** How many users come back. */
export interface RetentionRequest {
  readonly dates: DateRange;
  /** From the first time ever that they did the event of birth, or from each time that they did the event. */
  readonly type: 'birth' | 'compounded';
  /** For `birth`. */
  readonly bornEvent?: string;
  readonly bornWhere?: string;
  /** The event of those who come back; without it, any. */
  readonly event?: string;
  readonly where?: string;
  readonly bucket: Bucket;
  /** How many buckets after that of a cohort are looked at, besides its own. */
  readonly intervalCount: number;
  /** Read from the event that brings a user into a cohort. */
  readonly on?: string;
  readonly limit: number;
}

export interface Cohort {
  /** How many users there are in it. */
  readonly first: number;
  /** How many of them came back in its own bucket and in each after that. */
  readonly counts: readonly number[];
}

/** What there is of each bucket of dates: of all users, or with `on` of each segment. */
export interface ByDate<Value> {
  readonly dates: readonly string[];
  readonly overall?: readonly Value[];
  readonly segments?: readonly { readonly name: string; readonly dates: readonly Value[] }[];
}

/** How often users come within a period. */
export interface AddictionRequest {
  readonly dates: DateRange;
  /** The period. */
  readonly unit: 'day' | 'week' | 'month';
  /** What is counted in it. */
  readonly addictionUnit: 'hour' | 'day';
  /** Without it, any. */
  readonly event?: string;
  readonly where?: string;
  readonly on?: string;
  readonly limit: number;
}

/** Number n: how many users did the event in at least n + 1 of the units of the period. */
export type Addiction = readonly number[];

/** What can be asked of events. */
export interface Queries {
  events(request: EventsRequest): Promise<Series>;
  topEvents(request: TopEventsRequest): Promise<readonly TopEvent[]>;
  /** Descending by the alphabet. */
  eventNames(request: EventNamesRequest): Promise<readonly string[]>;
  property(request: PropertyRequest): Promise<Series>;
  topProperties(request: TopPropertiesRequest): Promise<readonly TopProperty[]>;
  propertyValues(request: PropertyValuesRequest): Promise<readonly string[]>;
  segmentation(request: SegmentationRequest): Promise<Series>;
  numeric(request: NumericRequest): Promise<Series>;
  /** A series with one name. A sum that no double can hold is infinite. */
  aggregate(request: AggregateRequest): Promise<Series>;
  funnel(request: FunnelRequest): Promise<FunnelResult>;
  retention(request: RetentionRequest): Promise<ByDate<Cohort>>;
  addiction(request: AddictionRequest): Promise<ByDate<Addiction>>;
}
