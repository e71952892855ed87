import { stringifyInPieces } from '../../base/json.ts';
import { omitUndefined } from '../../base/objects.ts';
import type { ByDate } from '../requests.ts';
import { ADDICTION_SCHEMA, RETENTION_SCHEMA } from './answer-schemas.ts';
import { apiErrors } from './api-errors.ts';
import { DATE_PARAMETERS, readDates } from './dates.ts';
import { declareQuery, type Endpoint } from './endpoint.ts';
import { choice, expressionText, integer, string } from './kinds.ts';
import { allowParameter } from './parameter.ts';
import { limitSegments, readBucketSize } from './series-parameters.ts';

const MAX_DAYS = 90;

/** 27 years of days; `limit` and `buckets` have the same maximum. */
const MAX_INTERVALS = 10_000;

const EVENT = allowParameter(string, 'Event that counts as a return. Default: any event.');
const ON = allowParameter(expressionText, 'Groups users by the value of this expression.');
const LIMIT = limitSegments(255);

/** The parameters of `/retention`. */
export const RETENTION_PARAMETERS = {
  ...DATE_PARAMETERS,
  retention_type: allowParameter(
    choice('birth', 'compounded'),
    'Starts each user at their first `born_event` (`birth`) or at every `event` (`compounded`).',
    'birth',
  ),
  born_event: allowParameter(string, 'Event that starts a user. Required if `retention_type` is `birth`.'),
  event: EVENT,
  born_where: allowParameter(expressionText, 'Filters the born events.'),
  where: allowParameter(expressionText, 'Filters the returning events.'),
  interval: allowParameter(integer({ max: MAX_DAYS }), 'Days per bucket. Default: 1, unless `unit` is set.'),
  interval_count: allowParameter(
    integer({ min: 0, max: MAX_INTERVALS }),
    'Number of intervals to return after the first, in which the users start.',
    1,
  ),
  unit: allowParameter(choice('day', 'week', 'month'), 'Time unit of a bucket. Ignored if `interval` is set.'),
  on: ON,
  limit: LIMIT,
} as const;

/** The endpoints that count returning users. */
export const RETENTION: readonly Endpoint[] = [
  declareQuery({
    path: '/retention',
    schema: RETENTION_SCHEMA,
    group: 'retention',
    summary: 'Number of users who return, by interval',
    parameters: RETENTION_PARAMETERS,
    example: {
      born_event: 'sign up',
      event: 'purchase',
      from_date: '2025-06-02',
      to_date: '2025-06-15',
      unit: 'week',
      interval_count: '2',
    },
    query: 'retention',
    canWarn: true,
    request(values) {
      const { retention_type: type, born_event, born_where, event, where, interval_count, on, limit } = values;
      if (type === 'birth' && born_event === undefined) throw apiErrors.missing('born_event');
      const born = type === 'birth' ? { bornEvent: born_event, bornWhere: born_where } : {};
      return {
        dates: readDates(values),
        type,
        bucket: readBucketSize(values),
        intervalCount: interval_count,
        limit,
        ...omitUndefined({ ...born, event, where, on }),
      };
    },
    write: (result) => stringifyInPieces(formatDates(result, ({ first, counts }) => ({ counts, first }))),
  }),
  declareQuery({
    path: '/retention/addiction',
    schema: ADDICTION_SCHEMA,
    group: 'retention',
    summary: 'Number of users by how many hours or days of a period they are active in',
    parameters: {
      ...DATE_PARAMETERS,
      unit: allowParameter(choice('day', 'week', 'month'), 'Period that users are counted in.', 'day'),
      addiction_unit: allowParameter(choice('hour', 'day'), 'Unit of activity within the period.', 'hour'),
      event: allowParameter(string, 'Event that counts as activity. Default: any event.'),
      where: allowParameter(expressionText, 'Filters the events.'),
      on: ON,
      limit: LIMIT,
    },
    example: {
      event: 'purchase',
      from_date: '2025-06-02',
      to_date: '2025-06-15',
      unit: 'week',
      addiction_unit: 'day',
    },
    query: 'addiction',
    canWarn: true,
    request(values) {
      const { unit, addiction_unit, event, where, on, limit } = values;
      return {
        dates: readDates(values),
        unit,
        addictionUnit: addiction_unit,
        limit,
        ...omitUndefined({ event, where, on }),
      };
    },
    write: (result) => stringifyInPieces(formatDates(result, (numbers) => numbers)),
  }),
];

/** Yields the value of each date: of all users or, with segments, a map of segment names to values. */
function* formatDates<Value>(
  { dates, overall = [], segments }: ByDate<Value>,
  format: (value: Value) => unknown,
): Generator<[label: string, value: unknown]> {
  const formatAt = (values: readonly Value[], index: number) => format(values[index] as Value);
  for (const [index, label] of dates.entries()) {
    const bySegment = segments?.map((segment) => [segment.name, formatAt(segment.dates, index)] as const);
    yield [label, bySegment === undefined ? formatAt(overall, index) : new Map(bySegment)];
  }
}
