import { stringifyInPieces } from '../../../lang/util/json.ts';
import { omitUndefined } from '../../../lang/util/objects.ts';
import { NAMES_SCHEMA, SERIES_SCHEMA, TOP_PROPERTIES_SCHEMA } from './answer-schemas.ts';
import { PERIOD, readPeriod } from './dates.ts';
import { declareQuery, type Endpoint } from './endpoint.ts';
import { integer, segments, text } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';
import { assertCountable, COUNTING } from './series-parameters.ts';
import { writeSeries } from './write-series.ts';

const EVENT = requireParameter(text, 'The name of the event.');
const NAME = requireParameter(text, 'The name of the property.');

/** The endpoints of the properties of events. */
export const PROPERTIES: readonly Endpoint[] = [
  declareQuery({
    path: '/events/properties',
    schema: SERIES_SCHEMA,
    group: 'properties',
    summary: 'How often an event was done with each value of a property, over time',
    parameters: {
      event: EVENT,
      name: NAME,
      values: allowParameter(segments, 'The values that are of interest; without it, the most frequent ones.'),
      ...COUNTING,
      ...PERIOD,
      limit: allowParameter(integer(), 'How many values.', 255),
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
      assertCountable(asked);
      const { event, name, values, type, unit, limit } = asked;
      return { event, name, ...omitUndefined({ values }), type, unit, period: readPeriod(asked), limit };
    },
    write: (series, { format }) => writeSeries(series, format),
  }),
  declareQuery({
    path: '/events/properties/top',
    schema: TOP_PROPERTIES_SCHEMA,
    group: 'properties',
    summary: 'The most common properties of an event, and how many events have each',
    parameters: { event: EVENT, limit: allowParameter(integer(), 'How many properties.', 10) },
    example: { event: 'purchase', limit: '3' },
    query: 'topProperties',
    request: ({ event, limit }) => ({ event, limit }),
    write: (found) => stringifyInPieces(found.map(({ name, count }) => [name, { count }])),
  }),
  declareQuery({
    path: '/events/properties/values',
    schema: NAMES_SCHEMA,
    group: 'properties',
    summary: 'The most common values of a property',
    parameters: { event: EVENT, name: NAME, limit: allowParameter(integer({ most: 10_000 }), 'How many values.', 255) },
    example: { event: 'purchase', name: 'country', limit: '3' },
    query: 'propertyValues',
    request: ({ event, name, limit }) => ({ event, name, limit }),
    write: (values) => [JSON.stringify(values)],
  }),
];
