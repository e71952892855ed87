import { stringifyInPieces } from '../../../lang/util/json.ts';
import { omitUndefined } from '../../../lang/util/objects.ts';
import type { ByDate } from '../../analytics/queries.ts';
import { ADDICTION_SCHEMA, RETENTION_SCHEMA } from './answer-schemas.ts';
import { apiErrors } from './api-errors.ts';
import { DATE_PARAMETERS, readDates } from './dates.ts';
import { declareQuery, type Endpoint } from './endpoint.ts';
import { choice, expressionText, integer, text } from './kinds.ts';
import { allowParameter } from './parameter.ts';
import { limitSegments, readBucketSize } from './series-parameters.ts';

const MAX_DAYS = 90;

/** 27 years of days, and the maximum of `limit` and `buckets` too. */
const MAX_INTERVALS = 10_000;

const EVENT = allowParameter(text, 'The event of those who come back; without it, any.');
const ON = allowParameter(expressionText, 'Shows each segment of users by themselves: its values are the segments.');
const LIMIT = limitSegments(255);

/** The endpoints of retention. */
export const RETENTION: readonly Endpoint[] = [
  declareQuery({
    path: '/retention',
    schema: RETENTION_SCHEMA,
    group: 'retention',
    summary: 'How many users come back, and when',
    parameters: {
      ...DATE_PARAMETERS,
      retention_type: allowParameter(
        choice('birth', 'compounded'),
        'Counts users from the first time ever that they did `born_event`, or from each time that they did `event`.',
        'birth',
      ),
      born_event: allowParameter(text, 'The event that begins it all. Required where `retention_type` is `birth`.'),
      event: EVENT,
      born_where: allowParameter(expressionText, 'Selects the events that begin it all.'),
      where: allowParameter(expressionText, 'Selects the events of those who come back.'),
      interval: allowParameter(
        integer({ most: MAX_DAYS }),
        'How many days a bucket has; 1 where there is no `unit` either.',
      ),
      interval_count: allowParameter(
        integer({ least: 0, most: MAX_INTERVALS }),
        'How many buckets are looked at besides the first, in which the users are counted.',
        1,
      ),
      unit: allowParameter(
        choice('day', 'week', 'month'),
        'The unit of time that a bucket is, where there is no `interval`.',
      ),
      on: ON,
      limit: LIMIT,
    },
    example: {
      born_event: 'sign up',
      event: 'purchase',
      from_date: '2025-06-02',
      to_date: '2025-06-15',
      unit: 'week',
      interval_count: '2',
    },
    query: 'retention',
    request(asked) {
      const { retention_type: type, born_event, born_where, event, where, interval_count, on, limit } = asked;
      if (type === 'birth' && born_event === undefined) throw apiErrors.missing('born_event');
      const born = type === 'birth' ? { bornEvent: born_event, bornWhere: born_where } : {};
      return {
        dates: readDates(asked),
        type,
        bucket: readBucketSize(asked),
        intervalCount: interval_count,
        limit,
        ...omitUndefined({ ...born, event, where, on }),
      };
    },
    write: (result) => stringifyInPieces(byDate(result, ({ first, counts }) => ({ counts, first }))),
  }),
  declareQuery({
    path: '/retention/addiction',
    schema: ADDICTION_SCHEMA,
    group: 'retention',
    summary: 'In how many hours or days of a period users come',
    parameters: {
      ...DATE_PARAMETERS,
      unit: allowParameter(choice('day', 'week', 'month'), 'The period.', 'day'),
      addiction_unit: allowParameter(choice('hour', 'day'), 'What is counted in it.', 'hour'),
      event: allowParameter(text, 'The event that users come for; without it, any.'),
      where: allowParameter(expressionText, 'Selects the events.'),
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
    request(asked) {
      const { unit, addiction_unit, event, where, on, limit } = asked;
      return {
        dates: readDates(asked),
        unit,
        addictionUnit: addiction_unit,
        limit,
        ...omitUndefined({ event, where, on }),
      };
    },
    write: (result) => stringifyInPieces(byDate(result, (numbers) => numbers)),
  }),
];

/** What there is of each date: of all users, or of each segment of them. */
function* byDate<Value>(
  { dates, overall = [], segments }: ByDate<Value>,
  show: (value: Value) => unknown,
): Generator<[label: string, shown: unknown]> {
  const at = (values: readonly Value[], index: number) => show(values[index] as Value);
  for (const [index, label] of dates.entries()) {
    const bySegment = segments?.map((segment) => [segment.name, at(segment.dates, index)] as const);
    yield [label, bySegment === undefined ? at(overall, index) : new Map(bySegment)];
  }
}
