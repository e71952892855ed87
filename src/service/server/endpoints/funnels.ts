import { stringifyInPieces } from '../../../lang/util/json.ts';
import { omitUndefined } from '../../../lang/util/objects.ts';
import { QueryError } from '../../analytics/errors.ts';
import type { FunnelDate, FunnelResult } from '../../analytics/queries.ts';
import { checkFunnelLength, LENGTH_UNITS, type LengthUnit } from '../../datasets/funnels.ts';
import { FUNNEL_SCHEMA, FUNNELS_SCHEMA } from './answer-schemas.ts';
import { apiErrors } from './api-errors.ts';
import { DATE_PARAMETERS, readDates } from './dates.ts';
import { answerJson, declareEndpoint, declareQuery, type Endpoint } from './endpoint.ts';
import { choice, expressionText, integer } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';
import { limitSegments, readBucketSize } from './series-parameters.ts';

/** The endpoints of funnels. */
export const FUNNELS: readonly Endpoint[] = [
  declareQuery({
    path: '/funnels',
    schema: FUNNEL_SCHEMA,
    group: 'funnels',
    summary: 'How many users take each step of a funnel',
    parameters: {
      funnel_id: requireParameter(integer(), 'The funnel, as `/funnels/list` names it.'),
      ...DATE_PARAMETERS,
      length: allowParameter(
        integer(),
        'How long after the first step all others must be done, in `length_unit`: 90 days at most. Without it, what is saved for the funnel.',
      ),
      length_unit: allowParameter(
        choice(...(Object.keys(LENGTH_UNITS) as LengthUnit[])),
        'The unit of `length`. Without it, what is saved for the funnel.',
      ),
      interval: allowParameter(integer(), 'How many days a bucket has; 1 where there is no `unit` either.'),
      unit: allowParameter(
        choice('day', 'week', 'month'),
        'The unit of time that a bucket is, where there is no `interval`.',
      ),
      on: allowParameter(
        expressionText,
        'Shows each segment of users by themselves: read from the event of the first step.',
      ),
      where: allowParameter(expressionText, 'Selects the events of all steps.'),
      limit: limitSegments(255),
    },
    example: { funnel_id: '1', from_date: '2025-06-01', to_date: '2025-06-30', unit: 'month' },
    query: 'funnel',
    async request(asked, { access: { project }, services }) {
      const dates = readDates(asked);
      const funnel = await services.funnels.find(project.name, asked.funnel_id);
      if (funnel === undefined)
        throw apiErrors.invalid('funnel_id', 'There is no such funnel: `/funnels/list` lists them.');
      const { length = funnel.length, length_unit: unit = funnel.lengthUnit } = asked;
      if (checkFunnelLength(length, unit) !== undefined)
        throw new QueryError('parameter', 'A funnel takes at most 90 days.', ['length', 'length_unit']);
      const { on, where, limit } = asked;
      return {
        steps: funnel.steps,
        dates,
        length: length * LENGTH_UNITS[unit],
        bucket: readBucketSize(asked),
        ...omitUndefined({ on, where }),
        limit,
      };
    },
    write: funnelPieces,
  }),
  declareEndpoint({
    path: '/funnels/list',
    schema: FUNNELS_SCHEMA,
    group: 'funnels',
    summary: 'The funnels of the project',
    parameters: {},
    example: {},
    async answer(_, { access: { project }, services }) {
      const funnels = await services.funnels.list(project.name);
      return answerJson(funnels.map(({ id, name }) => ({ funnel_id: id, name })));
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
