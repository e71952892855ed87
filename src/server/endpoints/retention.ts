import type { ByDate } from '../../analytics/queries.ts';
import { omitUndefined } from '../../util/given.ts';
import { stringifyInPieces } from '../../util/object-pieces.ts';
import { ADDICTION_SCHEMA, RETENTION_SCHEMA } from './answer-schemas.ts';
import { bucketOf } from './bucket-of.ts';
import { DATES, datesOf } from './dates.ts';
import { type Endpoint, query } from './endpoint.ts';
import { choice, expression, integer, text } from './kinds.ts';
import { optional } from './parameter.ts';
import { published } from './published.ts';
import { segmentLimit } from './segment-limit.ts';

const MOST_DAYS = 90;

/** 27 years of days, and the maximum of `limit` and `buckets` too. */
const MOST_INTERVALS = 10_000;

const EVENT = optional(text, 'The event of those who come back; without it, any.');
const ON = optional(expression, 'Shows each segment of users by themselves: its values are the segments.');
const LIMIT = segmentLimit(255);

/** The endpoints of retention. */
export const RETENTION: readonly Endpoint[] = [
  query({
    path: '/retention',
    schema: RETENTION_SCHEMA,
    group: 'retention',
    summary: 'How many users come back, and when',
    parameters: {
      ...DATES,
      retention_type: optional(
        choice('birth', 'compounded'),
        'Counts users from the first time ever that they did `born_event`, or from each time that they did `event`.',
        'birth',
      ),
      born_event: optional(text, 'The event that begins it all. Required where `retention_type` is `birth`.'),
      event: EVENT,
      born_where: optional(expression, 'Selects the events that begin it all.'),
      where: optional(expression, 'Selects the events of those who come back.'),
      interval: optional(
        integer({ most: MOST_DAYS }),
        'How many days a bucket has; 1 where there is no `unit` either.',
      ),
      interval_count: optional(
        integer({ least: 0, most: MOST_INTERVALS }),
        'How many buckets are looked at besides the first, in which the users are counted.',
        1,
      ),
      unit: optional(
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
      if (type === 'birth' && born_event === undefined) throw published.missing('born_event');
      const born = type === 'birth' ? { bornEvent: born_event, bornWhere: born_where } : {};
      return {
        dates: datesOf(asked),
        type,
        bucket: bucketOf(asked),
        intervalCount: interval_count,
        limit,
        ...omitUndefined({ ...born, event, where, on }),
      };
    },
    write: (result) => stringifyInPieces(byDate(result, ({ first, counts }) => ({ counts, first }))),
  }),
  query({
    path: '/retention/addiction',
    schema: ADDICTION_SCHEMA,
    group: 'retention',
    summary: 'In how many hours or days of a period users come',
    parameters: {
      ...DATES,
      unit: optional(choice('day', 'week', 'month'), 'The period.', 'day'),
      addiction_unit: optional(choice('hour', 'day'), 'What is counted in it.', 'hour'),
      event: optional(text, 'The event that users come for; without it, any.'),
      where: optional(expression, 'Selects the events.'),
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
        dates: datesOf(asked),
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
