import { omitUndefined } from '../../util/given.ts';
import { stringifyInPieces } from '../../util/object-pieces.ts';
import { NAMES_SCHEMA, SERIES_SCHEMA, TOP_PROPERTIES_SCHEMA } from './answer-schemas.ts';
import { COUNTING, expectCountable } from './counting.ts';
import { PERIOD, periodOf } from './dates.ts';
import { type Endpoint, query } from './endpoint.ts';
import { integer, segments, text } from './kinds.ts';
import { optional, required } from './parameter.ts';
import { seriesPieces } from './series-pieces.ts';

const EVENT = required(text, 'The name of the event.');
const NAME = required(text, 'The name of the property.');

/** The endpoints of the properties of events. */
export const PROPERTIES: readonly Endpoint[] = [
  query({
    path: '/events/properties',
    schema: SERIES_SCHEMA,
    group: 'properties',
    summary: 'How often an event was done with each value of a property, over time',
    parameters: {
      event: EVENT,
      name: NAME,
      values: optional(segments, 'The values that are of interest; without it, the most frequent ones.'),
      ...COUNTING,
      ...PERIOD,
      limit: optional(integer(), 'How many values.', 255),
    },
    example: {
      event: 'purchase',
      name: 'plan',
      values: '["pro","team"]',
      unit: 'week',
      from_date: '2025-06-01',
      to_date: '2025-06-30',
    },
    query: 'property',
    request(asked) {
      expectCountable(asked);
      const { event, name, values, type, unit, limit } = asked;
      return { event, name, ...omitUndefined({ values }), type, unit, period: periodOf(asked), limit };
    },
    write: (series, { format }) => seriesPieces(series, format),
  }),
  query({
    path: '/events/properties/top',
    schema: TOP_PROPERTIES_SCHEMA,
    group: 'properties',
    summary: 'The most common properties of an event, and how many events have each',
    parameters: { event: EVENT, limit: optional(integer(), 'How many properties.', 10) },
    example: { event: 'purchase', limit: '3' },
    query: 'topProperties',
    request: ({ event, limit }) => ({ event, limit }),
    write: (found) => stringifyInPieces(found.map(({ name, count }) => [name, { count }])),
  }),
  query({
    path: '/events/properties/values',
    schema: NAMES_SCHEMA,
    group: 'properties',
    summary: 'The most common values of a property',
    parameters: { event: EVENT, name: NAME, limit: optional(integer({ most: 10_000 }), 'How many values.', 255) },
    example: { event: 'purchase', name: 'country', limit: '3' },
    query: 'propertyValues',
    request: ({ event, name, limit }) => ({ event, name, limit }),
    write: (values) => [JSON.stringify(values)],
  }),
];
