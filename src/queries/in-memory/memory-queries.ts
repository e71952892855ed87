import type * as Requests from '../requests.ts';
import { countAddiction } from './addiction.ts';
import {
  countEvents,
  countProperty,
  countSegmentation,
  listEventNames,
  listPropertyValues,
  listTopEvents,
} from './counts.ts';
import { countFunnel } from './funnel.ts';
import type { MemoryContext } from './memory-context.ts';
import { countNames, countProperties, countValues, describeEvents } from './names.ts';
import { aggregateNumbers, countRanges } from './numbers.ts';
import { countRetention } from './retention.ts';

/** Runs queries on events in memory. Their answers are those of {@link Analytics}. */
export class MemoryQueries implements Requests.Queries {
  constructor(private readonly context: MemoryContext) {}

  events = async (request: Requests.EventsRequest) => countEvents(this.context, request);
  topEvents = async (request: Requests.TopEventsRequest) => listTopEvents(this.context, request);
  eventNames = async (request: Requests.EventNamesRequest) => listEventNames(this.context, request);
  property = async (request: Requests.PropertyRequest) => countProperty(this.context, request);
  topProperties = async (request: Requests.TopPropertiesRequest) => countProperties(this.context, request);
  propertyValues = async (request: Requests.PropertyValuesRequest) => listPropertyValues(this.context, request);
  overview = async (request: Requests.OverviewRequest) => describeEvents(this.context, request);
  names = async (request: Requests.NamesRequest) => countNames(this.context, request);
  values = async (request: Requests.ValuesRequest) => countValues(this.context, request);
  segmentation = async (request: Requests.SegmentationRequest) => countSegmentation(this.context, request);
  numeric = async (request: Requests.NumericRequest) => countRanges(this.context, request);
  aggregate = async (request: Requests.AggregateRequest) => aggregateNumbers(this.context, request);
  funnel = async (request: Requests.FunnelRequest) => countFunnel(this.context, request);
  retention = async (request: Requests.RetentionRequest) => countRetention(this.context, request);
  addiction = async (request: Requests.AddictionRequest) => countAddiction(this.context, request);
}
