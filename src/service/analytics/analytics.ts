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
  constructor(private readonly scope: QueryContext) {}

  events = (request: Requests.EventsRequest) => queryEvents(this.scope, request);
  topEvents = (request: Requests.TopEventsRequest) => queryTopEvents(this.scope, request);
  eventNames = (request: Requests.EventNamesRequest) => queryEventNames(this.scope, request);
  property = (request: Requests.PropertyRequest) => queryProperty(this.scope, request);
  topProperties = (request: Requests.TopPropertiesRequest) => queryTopProperties(this.scope, request);
  propertyValues = (request: Requests.PropertyValuesRequest) => queryPropertyValues(this.scope, request);
  overview = (request: Requests.OverviewRequest) => queryOverview(this.scope, request);
  names = (request: Requests.NamesRequest) => queryNames(this.scope, request);
  values = (request: Requests.ValuesRequest) => queryValues(this.scope, request);
  segmentation = (request: Requests.SegmentationRequest) => querySegmentation(this.scope, request);
  numeric = (request: Requests.NumericRequest) => queryNumericRanges(this.scope, request);
  aggregate = (request: Requests.AggregateRequest) => queryAggregate(this.scope, request);
  funnel = (request: Requests.FunnelRequest) => queryFunnel(this.scope, request);
  retention = (request: Requests.RetentionRequest) => queryRetention(this.scope, request);
  addiction = (request: Requests.AddictionRequest) => queryAddiction(this.scope, request);
}
