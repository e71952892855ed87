import { NAMES_SCHEMA, SERIES_SCHEMA, TOP_EVENTS_SCHEMA } from './answer-schemas.ts';
import { PERIOD, readPeriod } from './dates.ts';
import { declareQuery, type Endpoint } from './endpoint.ts';
import { integer, strings } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';
import { assertCountable, COUNTING, TYPE } from './series-parameters.ts';
import { writeSeries } from './write-series.ts';

/** The endpoints that count events. */
export const EVENTS: readonly Endpoint[] = [
  declareQuery({
    path: '/events',
    schema: SERIES_SCHEMA,
    group: 'events',
    summary: 'Count events over time',
    parameters: { event: requireParameter(strings, 'Names of the events.'), ...COUNTING, ...PERIOD },
    example: { event: '["purchase","refund"]', unit: 'week', from_date: '2025-06-01', to_date: '2025-06-30' },
    query: 'events',
    canWarn: true,
    request(values) {
      assertCountable(values);
      const { event, type, unit } = values;
      return { events: event, type, unit, period: readPeriod(values) };
    },
    write: (series, { format }) => writeSeries(series, format),
  }),
  declareQuery({
    path: '/events/top',
    schema: TOP_EVENTS_SCHEMA,
    group: 'events',
    summary: 'Top events of today, compared with yesterday up to the same time',
    parameters: { type: TYPE, limit: allowParameter(integer(), 'Maximum number of events to return.', 100) },
    example: { limit: '3' },
    query: 'topEvents',
    request: ({ type, limit }) => ({ type, limit }),
    write(rows, { type }) {
      const events = rows.map(({ event, amount, percentChange }) => ({
        amount,
        event,
        percent_change: percentChange,
      }));
      return [JSON.stringify({ events, type })];
    },
  }),
  declareQuery({
    path: '/events/names',
    schema: NAMES_SCHEMA,
    group: 'events',
    summary: 'Names of the most common events of the last 31 days, in reverse alphabetical order',
    parameters: { type: TYPE, limit: allowParameter(integer(), 'Maximum number of names to return.', 255) },
    example: { limit: '3' },
    query: 'eventNames',
    request: ({ type, limit }) => ({ type, limit }),
    write: (names) => [JSON.stringify(names)],
  }),
];
