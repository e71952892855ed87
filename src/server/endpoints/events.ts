import { NAMES_SCHEMA, SERIES_SCHEMA, TOP_EVENTS_SCHEMA } from './answer-schemas.ts';
import { COUNTING, expectCountable, TYPE } from './counting.ts';
import { PERIOD, periodOf } from './dates.ts';
import { type Endpoint, query } from './endpoint.ts';
import { integer, texts } from './kinds.ts';
import { optional, required } from './parameter.ts';
import { seriesPieces } from './series-pieces.ts';

/** The endpoints of events. */
export const EVENTS: readonly Endpoint[] = [
  query({
    path: '/events',
    schema: SERIES_SCHEMA,
    group: 'events',
    summary: 'How often events were done, over time',
    parameters: { event: required(texts, 'The names of the events.'), ...COUNTING, ...PERIOD },
    example: { event: '["purchase","refund"]', unit: 'week', from_date: '2025-06-01', to_date: '2025-06-30' },
    query: 'events',
    request(asked) {
      expectCountable(asked);
      const { event, type, unit } = asked;
      return { events: event, type, unit, period: periodOf(asked) };
    },
    write: (series, { format }) => seriesPieces(series, format),
  }),
  query({
    path: '/events/top',
    schema: TOP_EVENTS_SCHEMA,
    group: 'events',
    summary: 'The events that are done most today, and how that compares with yesterday until the same time',
    parameters: { type: TYPE, limit: optional(integer(), 'How many events.', 100) },
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
  query({
    path: '/events/names',
    schema: NAMES_SCHEMA,
    group: 'events',
    summary: 'The names of the events that were most common over the last 31 days, in descending order of the alphabet',
    parameters: { type: TYPE, limit: optional(integer(), 'How many names.', 255) },
    example: { limit: '3' },
    query: 'eventNames',
    request: ({ type, limit }) => ({ type, limit }),
    write: (names) => [JSON.stringify(names)],
  }),
];
