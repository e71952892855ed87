import { NAMES_SCHEMA, SERIES_SCHEMA, TOP_EVENTS_SCHEMA } from './answer-schemas.ts';
import { PERIOD, readPeriod } from './dates.ts';
import { declareQuery, type Endpoint } from './endpoint.ts';
import { integer, texts } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';
import { assertCountable, COUNTING, TYPE } from './series-parameters.ts';
import { writeSeries } from './write-series.ts';

/** The endpoints of events. */
export const EVENTS: readonly Endpoint[] = [
  declareQuery({
    path: '/events',
    schema: SERIES_SCHEMA,
    group: 'events',
    summary: 'How often events were done, over time',
    parameters: { event: requireParameter(texts, 'The names of the events.'), ...COUNTING, ...PERIOD },
    example: { event: '["purchase","refund"]', unit: 'week', from_date: '2025-06-01', to_date: '2025-06-30' },
    query: 'events',
    request(asked) {
      assertCountable(asked);
      const { event, type, unit } = asked;
      return { events: event, type, unit, period: readPeriod(asked) };
    },
    write: (series, { format }) => writeSeries(series, format),
  }),
  declareQuery({
    path: '/events/top',
    schema: TOP_EVENTS_SCHEMA,
    group: 'events',
    summary: 'The events that are done most today, and how that compares with yesterday until the same time',
    parameters: { type: TYPE, limit: allowParameter(integer(), 'How many events.', 100) },
    example: { limit: '3' },
    query: 'topEvents',
    request: ({ type, limit }) => ({ type, limit }),
    write(found, { type }) {
      const events = found.map(({ event, amount, percentChange }) => ({
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
    summary: 'The names of the events that were most common over the last 31 days, in descending order of the alphabet',
    parameters: { type: TYPE, limit: allowParameter(integer(), 'How many names.', 255) },
    example: { limit: '3' },
    query: 'eventNames',
    request: ({ type, limit }) => ({ type, limit }),
    write: (names) => [JSON.stringify(names)],
  }),
];
