import { stringifyInPieces } from '../../base/json.ts';
import { omitUndefined } from '../../base/objects.ts';
import { NAMES_SCHEMA, SERIES_SCHEMA, TOP_PROPERTIES_SCHEMA } from './answer-schemas.ts';
import { PERIOD, readPeriod } from './dates.ts';
import { declareQuery, type Endpoint } from './endpoint.ts';
import { integer, segments, string } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';
import { assertCountable, COUNTING } from './series-parameters.ts';
import { writeSeries } from './write-series.ts';

const EVENT = requireParameter(string, 'Name of the event.');
const NAME = requireParameter(string, 'Name of the property.');

/** The endpoints that count events by property. */
export const PROPERTIES: readonly Endpoint[] = [
  declareQuery({
    path: '/events/properties',
    schema: SERIES_SCHEMA,
    group: 'properties',
    summary: 'Count an event over time, by value of a property',
    parameters: {
      event: EVENT,
      name: NAME,
      values: allowParameter(segments, 'Values to return. Default: the most common values.'),
      ...COUNTING,
      ...PERIOD,
      limit: allowParameter(integer(), 'Maximum number of values to return.', 255),
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
    canWarn: true,
    request(values) {
      assertCountable(values);
      const { event, name, values: selected, type, unit, limit } = values;
      return { event, name, ...omitUndefined({ values: selected }), type, unit, period: readPeriod(values), limit };
    },
    write: (series, { format }) => writeSeries(series, format),
  }),
  declareQuery({
    path: '/events/properties/top',
    schema: TOP_PROPERTIES_SCHEMA,
    group: 'properties',
    summary: 'Most common properties of an event, with the number of events that have each',
    parameters: { event: EVENT, limit: allowParameter(integer(), 'Maximum number of properties to return.', 10) },
    example: { event: 'purchase', limit: '3' },
    query: 'topProperties',
    request: ({ event, limit }) => ({ event, limit }),
    write: (properties) => stringifyInPieces(properties.map(({ name, count }) => [name, { count }])),
  }),
  declareQuery({
    path: '/events/properties/values',
    schema: NAMES_SCHEMA,
    group: 'properties',
    summary: 'Most common values of a property',
    parameters: {
      event: EVENT,
      name: NAME,
      limit: allowParameter(integer({ max: 10_000 }), 'Maximum number of values to return.', 255),
    },
    example: { event: 'purchase', name: 'country', limit: '3' },
    query: 'propertyValues',
    request: ({ event, name, limit }) => ({ event, name, limit }),
    write: (values) => [JSON.stringify(values)],
  }),
];
