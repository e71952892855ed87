import { queryAddiction } from './addiction.ts';
import { queryAggregate } from './aggregate.ts';
import { queryEventNames, queryEvents, queryTopEvents } from './events.ts';
import { queryFunnel } from './funnel.ts';
import { queryNumericRanges } from './numeric.ts';
import { queryProperty, queryPropertyValues, queryTopProperties } from './properties.ts';
import type * as Asked from './queries.ts';
import type { QueryContext } from './query-context.ts';
import { queryRetention } from './retention.ts';
import { querySegmentation } from './segmentation.ts';

/** What can be asked of the events that a reading lends. */
export class Analytics implements Asked.Queries {
  constructor(private readonly scope: QueryContext) {}

  events = (request: Asked.EventsRequest) => queryEvents(this.scope, request);
  topEvents = (request: Asked.TopEventsRequest) => queryTopEvents(this.scope, request);
  eventNames = (request: Asked.EventNamesRequest) => queryEventNames(this.scope, request);
  property = (request: Asked.PropertyRequest) => queryProperty(this.scope, request);
  topProperties = (request: Asked.TopPropertiesRequest) => queryTopProperties(this.scope, request);
  propertyValues = (request: Asked.PropertyValuesRequest) => queryPropertyValues(this.scope, request);
  segmentation = (request: Asked.SegmentationRequest) => querySegmentation(this.scope, request);
  numeric = (request: Asked.NumericRequest) => queryNumericRanges(this.scope, request);
  aggregate = (request: Asked.AggregateRequest) => queryAggregate(this.scope, request);
  funnel = (request: Asked.FunnelRequest) => queryFunnel(this.scope, request);
  retention = (request: Asked.RetentionRequest) => queryRetention(this.scope, request);
  addiction = (request: Asked.AddictionRequest) => queryAddiction(this.scope, request);
}
