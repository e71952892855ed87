import type { FunnelDate, FunnelResult } from '../../analytics/queries.ts';
import { QueryError } from '../../analytics/query-error.ts';
import { checkFunnelLength } from '../../datasets/funnels.ts';
import { LENGTH_UNITS, type LengthUnit } from '../../datasets/length-units.ts';
import { omitUndefined } from '../../util/given.ts';
import { stringifyInPieces } from '../../util/object-pieces.ts';
import { FUNNEL_SCHEMA, FUNNELS_SCHEMA } from './answer-schemas.ts';
import { bucketOf } from './bucket-of.ts';
import { DATES, datesOf } from './dates.ts';
import { type Endpoint, endpoint, jsonAnswer, query } from './endpoint.ts';
import { choice, expression, integer } from './kinds.ts';
import { optional, required } from './parameter.ts';
import { published } from './published.ts';
import { segmentLimit } from './segment-limit.ts';

/** The endpoints of funnels. */
export const FUNNELS: readonly Endpoint[] = [
  query({
    path: '/funnels',
    schema: FUNNEL_SCHEMA,
    group: 'funnels',
    summary: 'How many users take each step of a funnel',
    parameters: {
      funnel_id: required(integer(), 'The funnel, as `/funnels/list` names it.'),
      ...DATES,
      length: optional(
        integer(),
        'How long after the first step all others must be done, in `length_unit`: 90 days at most. Without it, what is saved for the funnel.',
      ),
      length_unit: optional(
        choice(...(Object.keys(LENGTH_UNITS) as LengthUnit[])),
        'The unit of `length`. Without it, what is saved for the funnel.',
      ),
      interval: optional(integer(), 'How many days a bucket has; 1 where there is no `unit` either.'),
      unit: optional(
        choice('day', 'week', 'month'),
        'The unit of time that a bucket is, where there is no `interval`.',
      ),
      on: optional(expression, 'Shows each segment of users by themselves: read from the event of the first step.'),
      where: optional(expression, 'Selects the events of all steps.'),
      limit: segmentLimit(255),
    },
    example: { funnel_id: '1', from_date: '2025-06-01', to_date: '2025-06-30', unit: 'month' },
    query: 'funnel',
    async request(asked, { access: { project }, services }) {
      const dates = datesOf(asked);
      const funnel = await services.funnels.find(project.name, asked.funnel_id);
      if (funnel === undefined)
        throw published.invalid('funnel_id', 'There is no such funnel: `/funnels/list` lists them.');
      const { length = funnel.length, length_unit: unit = funnel.lengthUnit } = asked;
      if (checkFunnelLength(length, unit) !== undefined)
        throw new QueryError('parameter', 'A funnel takes at most 90 days.', ['length', 'length_unit']);
      const { on, where, limit } = asked;
      return {
        steps: funnel.steps,
        dates,
        length: length * LENGTH_UNITS[unit],
        bucket: bucketOf(asked),
        ...omitUndefined({ on, where }),
        limit,
      };
    },
    write: funnelPieces,
  }),
  endpoint({
    path: '/funnels/list',
    schema: FUNNELS_SCHEMA,
    group: 'funnels',
    summary: 'The funnels of the project',
    parameters: {},
    example: {},
    async answer(_, { access: { project }, services }) {
      const funnels = await services.funnels.list(project.name);
      return jsonAnswer(funnels.map(({ id, name }) => ({ funnel_id: id, name })));
    },
  }),
];

function* funnelPieces(result: FunnelResult): Generator<string> {
  yield `{"meta":${JSON.stringify({ dates: result.dates })},"data":`;
  yield* stringifyInPieces(byDate(result));
  yield '}';
}

function* byDate({ dates, overall, segments }: FunnelResult): Generator<[label: string, shown: unknown]> {
  for (const [index, label] of dates.entries()) {
    const all = shown(overall[index]);
    const bySegment = segments?.map((segment) => [segment.name, shown(segment.dates[index])] as const);
    // Whatever a segment is named, this name is for all of them.
    yield [label, bySegment === undefined ? all : new Map([['$overall', all], ...bySegment, ['$overall', all]])];
  }
}

function shown(steps: FunnelDate = []): object {
  const ratios = steps.slice(1).map(({ stepRatio }) => stepRatio);
  return {
    steps: steps.map(({ event, count, stepRatio, overallRatio, averageTime }) => ({
      count,
      step_conv_ratio: stepRatio,
      goal: event,
      overall_conv_ratio: overallRatio,
      avg_time: averageTime,
      event,
    })),
    analysis: {
      completion: steps.at(-1)?.count ?? 0,
      starting_amount: steps[0]?.count ?? 0,
      steps: steps.length,
      worst: ratios.length === 0 ? 0 : ratios.indexOf(Math.min(...ratios)) + 1,
    },
  };
}
