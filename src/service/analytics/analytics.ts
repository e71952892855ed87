import type * as Requests from '../../queries/requests.ts';
import { queryAddiction } from './addiction.ts';
import { queryAggregate } from './aggregate.ts';
import { queryEventNames, queryEvents, queryTopEvents } from './events.ts';
import { queryFunnel } from './funnel.ts';
import { queryNames, queryValues } from './names.ts';
import { queryNumericRanges } from './numeric.ts';
import { queryOverview } from './overview.ts';
import { queryProperty, queryPropertyValues, queryTopProperties } from './properties.ts';
import type { QueryContext } from './query-context.ts';
import { queryRetention } from './retention.ts';
import { querySegmentation } from './segmentation.ts';

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
