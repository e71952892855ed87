import type * as Requests from '../../queries/requests.ts';
import { queryAddiction } from './queries/addiction.ts';
import { queryAggregate } from './queries/aggregate.ts';
import { queryEventNames, queryEvents, queryTopEvents } from './queries/events.ts';
import { queryFunnel } from './queries/funnel.ts';
import { queryNames, queryValues } from './queries/names.ts';
import { queryNumericRanges } from './queries/numeric.ts';
import { queryOverview } from './queries/overview.ts';
import { queryProperty, queryPropertyValues, queryTopProperties } from './queries/properties.ts';
import { queryRetention } from './queries/retention.ts';
import { querySegmentation } from './queries/segmentation.ts';
import type { QueryContext } from './sql/query-context.ts';

/** Runs queries on the events of a snapshot. */
export class Analytics implements Requests.Queries {
  constructor(private readonly context: QueryContext) {}

  events = (request: Requests.EventsRequest) => queryEvents(this.context, request);
  topEvents = (request: Requests.TopEventsRequest) => queryTopEvents(this.context, request);
  eventNames = (request: Requests.EventNamesRequest) => queryEventNames(this.context, request);
  property = (request: Requests.PropertyRequest) => queryProperty(this.context, request);
  topProperties = (request: Requests.TopPropertiesRequest) => queryTopProperties(this.context, request);
  propertyValues = (request: Requests.PropertyValuesRequest) => queryPropertyValues(this.context, request);
  overview = (request: Requests.OverviewRequest) => queryOverview(this.context, request);
  names = (request: Requests.NamesRequest) => queryNames(this.context, request);
  values = (request: Requests.ValuesRequest) => queryValues(this.context, request);
  segmentation = (request: Requests.SegmentationRequest) => querySegmentation(this.context, request);
  numeric = (request: Requests.NumericRequest) => queryNumericRanges(this.context, request);
  aggregate = (request: Requests.AggregateRequest) => queryAggregate(this.context, request);
  funnel = (request: Requests.FunnelRequest) => queryFunnel(this.context, request);
  retention = (request: Requests.RetentionRequest) => queryRetention(this.context, request);
  addiction = (request: Requests.AddictionRequest) => queryAddiction(this.context, request);
}
