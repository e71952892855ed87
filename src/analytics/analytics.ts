import { addiction } from './addiction.ts';
import { aggregate } from './aggregate.ts';
import { eventNames, events, topEvents } from './events.ts';
import { funnel } from './funnel.ts';
import { numeric } from './numeric.ts';
import { property, propertyValues, topProperties } from './properties.ts';
import type * as Asked from './queries.ts';
import { retention } from './retention.ts';
import type { Scope } from './scope.ts';
import { segmentation } from './segmentation.ts';

/** What can be asked of the events that a reading lends. */
export class Analytics implements Asked.Queries {
  constructor(private readonly scope: Scope) {}

  events = (request: Asked.EventsRequest) => events(this.scope, request);
  topEvents = (request: Asked.TopEventsRequest) => topEvents(this.scope, request);
  eventNames = (request: Asked.EventNamesRequest) => eventNames(this.scope, request);
  property = (request: Asked.PropertyRequest) => property(this.scope, request);
  topProperties = (request: Asked.TopPropertiesRequest) => topProperties(this.scope, request);
  propertyValues = (request: Asked.PropertyValuesRequest) => propertyValues(this.scope, request);
  segmentation = (request: Asked.SegmentationRequest) => segmentation(this.scope, request);
  numeric = (request: Asked.NumericRequest) => numeric(this.scope, request);
  aggregate = (request: Asked.AggregateRequest) => aggregate(this.scope, request);
  funnel = (request: Asked.FunnelRequest) => funnel(this.scope, request);
  retention = (request: Asked.RetentionRequest) => retention(this.scope, request);
  addiction = (request: Asked.AddictionRequest) => addiction(this.scope, request);
}
