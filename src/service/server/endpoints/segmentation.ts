import { omitUndefined } from '../../../lang/util/objects.ts';
import { SERIES_SCHEMA, TOTALS_SCHEMA } from './answer-schemas.ts';
import { DATE_PARAMETERS, readDates } from './dates.ts';
import { declareQuery, type Endpoint } from './endpoint.ts';
import { choice, expressionText, integer, text } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';
import { limitSegments, TYPE } from './series-parameters.ts';
import { stringifyLabelled, writeSeries } from './write-series.ts';

/** How many days numbers are read of at most. */
const NUMERIC_DAYS = 30;

const EVENT = requireParameter(text, 'The name of the event.');
const WHERE = allowParameter(expressionText, 'Selects the events.');
const UNIT = allowParameter(choice('hour', 'day'), 'The unit of time that a bucket is.', 'day');
const NUMBER_DATES = {
  ...DATE_PARAMETERS,
  to_date: { ...DATE_PARAMETERS.to_date, description: `The last day, of ${NUMERIC_DAYS} at most.` },
} as const;

/** The endpoints of segmentation. */
export const SEGMENTATION: readonly Endpoint[] = [
  declareQuery({
    path: '/segmentation',
    schema: SERIES_SCHEMA,
    group: 'segmentation',
    summary: 'How often an event was done, over time and in segments',
    parameters: {
      event: EVENT,
      ...DATE_PARAMETERS,
      on: allowParameter(expressionText, 'Its values are the segments.'),
      unit: allowParameter(choice('minute', 'hour', 'day', 'month'), 'The unit of time that a bucket is.', 'day'),
      interval: allowParameter(
        integer(),
        'How many days a bucket has, instead of `unit`. Not where `type` is `general`.',
      ),
      where: WHERE,
      limit: limitSegments(60),
      type: TYPE,
    },
    example: {
      event: 'purchase',
      from_date: '2025-06-01',
      to_date: '2025-06-03',
      on: 'properties["plan"]',
      where: 'properties["amount"] > 100',
    },
    query: 'segmentation',
    request(asked) {
      const { event, type, unit, on, where, limit } = asked;
      const interval = type === 'general' ? undefined : asked.interval;
      return { event, dates: readDates(asked), type, unit, limit, ...omitUndefined({ interval, on, where }) };
    },
    write: (series) => writeSeries(series),
  }),
  declareQuery({
    path: '/segmentation/numeric',
    schema: SERIES_SCHEMA,
    group: 'segmentation',
    summary: 'How often an event was done, in equal ranges of a number',
    parameters: {
      event: EVENT,
      ...NUMBER_DATES,
      on: requireParameter(expressionText, 'The number. What is none is in no range.'),
      unit: UNIT,
      where: WHERE,
      type: { ...TYPE, description: 'What is counted: events, the users who did them, or users for each event.' },
      buckets: allowParameter(integer({ most: 10_000 }), 'How many ranges there are at most.', 12),
    },
    example: {
      event: 'purchase',
      from_date: '2025-06-01',
      to_date: '2025-06-03',
      on: 'properties["amount"]',
      buckets: '3',
    },
    query: 'numeric',
    request(asked) {
      const { event, type, unit, on, where, buckets } = asked;
      return { event, dates: readDates(asked, NUMERIC_DAYS), type, unit, on, buckets, ...omitUndefined({ where }) };
    },
    write: (series) => writeSeries(series),
  }),
  aggregate('sum', 'The sum of a number over the events of each bucket'),
  aggregate('average', 'The mean of a number over the events of each bucket'),
];

function aggregate(kind: 'sum' | 'average', summary: string): Endpoint {
  return declareQuery({
    path: `/segmentation/${kind}`,
    schema: TOTALS_SCHEMA,
    group: 'segmentation',
    summary,
    parameters: {
      event: EVENT,
      ...NUMBER_DATES,
      on: requireParameter(expressionText, 'The number. What is none counts as 0.'),
      unit: UNIT,
      where: WHERE,
    },
    example: { event: 'purchase', from_date: '2025-06-01', to_date: '2025-06-03', on: 'properties["amount"]' },
    query: 'aggregate',
    request(asked) {
      const { event, unit, on, where } = asked;
      return { aggregate: kind, event, dates: readDates(asked, NUMERIC_DAYS), unit, on, ...omitUndefined({ where }) };
    },
    write: ({ buckets, series }) => [
      `{"results":${stringifyLabelled(buckets, series[0]?.values ?? [])},"status":"ok"}`,
    ],
  });
}
