import { omitUndefined } from '../../base/objects.ts';
import { SERIES_SCHEMA, TOTALS_SCHEMA } from './answer-schemas.ts';
import { DATE_PARAMETERS, readDates } from './dates.ts';
import { declareQuery, type Endpoint } from './endpoint.ts';
import { choice, expressionText, integer, string } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';
import { limitSegments, TYPE } from './series-parameters.ts';
import { stringifyLabelled, writeSeries } from './write-series.ts';

/** The longest date range of the endpoints that read numbers. */
export const MAX_NUMERIC_DAYS = 30;

const EVENT = requireParameter(string, 'Name of the event.');
const WHERE = allowParameter(expressionText, 'Filters the events.');
const UNIT = allowParameter(choice('hour', 'day'), 'Time unit of a bucket.', 'day');
const NUMBER_DATES = {
  ...DATE_PARAMETERS,
  to_date: {
    ...DATE_PARAMETERS.to_date,
    description: `Last day, inclusive. The range has at most ${MAX_NUMERIC_DAYS} days.`,
  },
} as const;

/** The endpoints that count one event by segment or number. */
export const SEGMENTATION: readonly Endpoint[] = [
  declareQuery({
    path: '/segmentation',
    schema: SERIES_SCHEMA,
    group: 'segmentation',
    summary: 'Count an event over time, by segment',
    parameters: {
      event: EVENT,
      ...DATE_PARAMETERS,
      on: allowParameter(expressionText, 'Groups events by the value of this expression.'),
      unit: allowParameter(choice('minute', 'hour', 'day', 'month'), 'Time unit of a bucket.', 'day'),
      interval: allowParameter(integer(), 'Days per bucket, instead of `unit`. Ignored if `type` is `general`.'),
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
    canWarn: true,
    request(values) {
      const { event, type, unit, on, where, limit } = values;
      const interval = type === 'general' ? undefined : values.interval;
      return { event, dates: readDates(values), type, unit, limit, ...omitUndefined({ interval, on, where }) };
    },
    write: (series) => writeSeries(series),
  }),
  declareQuery({
    path: '/segmentation/numeric',
    schema: SERIES_SCHEMA,
    group: 'segmentation',
    summary: 'Count an event over time, by equal ranges of a number',
    parameters: {
      event: EVENT,
      ...NUMBER_DATES,
      on: requireParameter(expressionText, 'Number to group by. Events without a number are in no range.'),
      unit: UNIT,
      where: WHERE,
      type: { ...TYPE, description: 'Count events, unique users, or users per event.' },
      buckets: allowParameter(integer({ max: 10_000 }), 'Maximum number of ranges.', 12),
    },
    example: {
      event: 'purchase',
      from_date: '2025-06-01',
      to_date: '2025-06-03',
      on: 'properties["amount"]',
      buckets: '3',
    },
    query: 'numeric',
    canWarn: true,
    request(values) {
      const { event, type, unit, on, where, buckets } = values;
      return {
        event,
        dates: readDates(values, MAX_NUMERIC_DAYS),
        type,
        unit,
        on,
        buckets,
        ...omitUndefined({ where }),
      };
    },
    write: (series) => writeSeries(series),
  }),
  declareAggregate('sum', 'Sum of a number per bucket'),
  declareAggregate('average', 'Average of a number per bucket'),
];

function declareAggregate(kind: 'sum' | 'average', summary: string): Endpoint {
  return declareQuery({
    path: `/segmentation/${kind}`,
    schema: TOTALS_SCHEMA,
    group: 'segmentation',
    summary,
    parameters: {
      event: EVENT,
      ...NUMBER_DATES,
      on: requireParameter(expressionText, 'Number to aggregate. Events without a number count as 0.'),
      unit: UNIT,
      where: WHERE,
    },
    example: { event: 'purchase', from_date: '2025-06-01', to_date: '2025-06-03', on: 'properties["amount"]' },
    query: 'aggregate',
    canWarn: true,
    request(values) {
      const { event, unit, on, where } = values;
      return {
        aggregate: kind,
        event,
        dates: readDates(values, MAX_NUMERIC_DAYS),
        unit,
        on,
        ...omitUndefined({ where }),
      };
    },
    write: ({ buckets, series }) => [
      `{"results":${stringifyLabelled(buckets, series[0]?.values ?? [])},"status":"ok"}`,
    ],
  });
}
