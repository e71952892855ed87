import type {
  Addiction,
  AddictionRequest,
  AggregateRequest,
  ByDate,
  Cohort,
  EventNamesRequest,
  EventsRequest,
  FunnelRequest,
  FunnelResult,
  NameCount,
  NamesRequest,
  NumericRequest,
  Overview,
  OverviewRequest,
  PropertyRequest,
  PropertyValuesRequest,
  Queries,
  RetentionRequest,
  SegmentationRequest,
  Series,
  TopEvent,
  TopEventsRequest,
  TopPropertiesRequest,
  ValueCount,
  ValuesRequest,
} from '../../../src/queries/requests.ts';
import type { QueryMoment } from '../../../src/service/store/filter-snapshot.ts';
import type { StoredPerson } from '../../../src/service/store/store.ts';
import { addiction } from './reference/addiction.ts';
import { Calendar } from './reference/calendar.ts';
import {
  aggregate,
  eventNames,
  events,
  names,
  overview,
  property,
  propertyValues,
  segmentation,
  topEvents,
  topProperties,
  values,
} from './reference/counts.ts';
import { funnel } from './reference/funnel.ts';
import { numeric } from './reference/numeric.ts';
import { type Occurrence, occurrencesOf, type ReferenceVersion } from './reference/occurrence.ts';
import { retention } from './reference/retention.ts';

export interface ReferenceScope {
  readonly versions: readonly ReferenceVersion[];
  readonly timeZone: string;
  /** The current time in Unix seconds. */
  readonly now: number;
}

/**
 * The reference implementation of every query, over arrays of events. It is written as plainly as the specification.
 */
export class Reference implements Queries {
  readonly data: readonly Occurrence[];
  readonly people: readonly StoredPerson[];
  readonly moment: QueryMoment;

  /** A calendar caches its results: share one between references of the same time zone. */
  constructor(
    { versions, timeZone, now }: ReferenceScope,
    readonly calendar = new Calendar(timeZone),
  ) {
    this.data = occurrencesOf(versions);
    this.people = versions.flatMap(({ people }) => people);
    this.moment = { now, timeZone };
  }

  async events(request: EventsRequest): Promise<Series> {
    return events(this, request);
  }

  async topEvents(request: TopEventsRequest): Promise<readonly TopEvent[]> {
    return topEvents(this, request);
  }

  async eventNames(request: EventNamesRequest): Promise<readonly string[]> {
    return eventNames(this, request);
  }

  async property(request: PropertyRequest): Promise<Series> {
    return property(this, request);
  }

  async topProperties(request: TopPropertiesRequest): Promise<readonly NameCount[]> {
    return topProperties(this, request);
  }

  async propertyValues(request: PropertyValuesRequest): Promise<readonly string[]> {
    return propertyValues(this, request);
  }

  async overview(request: OverviewRequest): Promise<Overview> {
    return overview(this, request);
  }

  async names(request: NamesRequest): Promise<readonly NameCount[]> {
    return names(this, request);
  }

  async values(request: ValuesRequest): Promise<readonly ValueCount[]> {
    return values(this, request);
  }

  async segmentation(request: SegmentationRequest): Promise<Series> {
    return segmentation(this, request);
  }

  async numeric(request: NumericRequest): Promise<Series> {
    return numeric(this, request);
  }

  async aggregate(request: AggregateRequest): Promise<Series> {
    return aggregate(this, request);
  }

  async funnel(request: FunnelRequest): Promise<FunnelResult> {
    return funnel(this, request);
  }

  async retention(request: RetentionRequest): Promise<ByDate<Cohort>> {
    return retention(this, request);
  }

  async addiction(request: AddictionRequest): Promise<ByDate<Addiction>> {
    return addiction(this, request);
  }
}
