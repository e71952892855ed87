import { stringifyInPieces } from '../../base/json.ts';
import { omitUndefined } from '../../base/objects.ts';
import { type Access, assertWhole } from '../access.ts';
import { QueryError } from '../errors.ts';
import {
  checkFunnelLength,
  type FunnelContent,
  type FunnelStep,
  LENGTH_UNITS,
  type LengthUnit,
} from '../funnel-content.ts';
import type { FunnelDate, FunnelResult } from '../requests.ts';
import type { Services } from '../services.ts';
import { FUNNEL_SCHEMA, FUNNELS_SCHEMA } from './answer-schemas.ts';
import { apiErrors } from './api-errors.ts';
import { DATE_PARAMETERS, readDates } from './dates.ts';
import { answerJson, declareEndpoint, declareQuery, type Endpoint } from './endpoint.ts';
import { choice, expressionText, funnelSteps, integer } from './kinds.ts';
import { allowParameter } from './parameter.ts';
import { limitSegments, readBucketSize } from './series-parameters.ts';

/** The conversion window of steps that are not saved. */
const UNSAVED_LENGTH = { length: 14, lengthUnit: 'day' } as const;

/** The endpoints that list and count funnels. */
export const FUNNELS: readonly Endpoint[] = [
  declareQuery({
    path: '/funnels',
    schema: FUNNEL_SCHEMA,
    group: 'funnels',
    summary: 'Number of users who complete each step of a funnel',
    parameters: {
      funnel_id: allowParameter(integer(), 'ID of the funnel, from `/funnels/list`. Required without `steps`.'),
      steps: allowParameter(funnelSteps, 'Steps to count instead of those of a saved funnel.'),
      ...DATE_PARAMETERS,
      length: allowParameter(
        integer(),
        'Time in which users must complete all steps, in `length_unit`. Maximum: 90 days. Default: the length of the funnel; 14 days with `steps`.',
      ),
      length_unit: allowParameter(
        choice(...(Object.keys(LENGTH_UNITS) as LengthUnit[])),
        'Unit of `length`. Default: the unit of the funnel.',
      ),
      interval: allowParameter(integer(), 'Days per bucket. Default: 1, unless `unit` is set.'),
      unit: allowParameter(choice('day', 'week', 'month'), 'Time unit of a bucket. Ignored if `interval` is set.'),
      on: allowParameter(expressionText, 'Groups users by this value, read from the event of their first step.'),
      where: allowParameter(expressionText, 'Filters the events of all steps.'),
      limit: limitSegments(255),
    },
    example: { funnel_id: '1', from_date: '2025-06-01', to_date: '2025-06-30', unit: 'month' },
    query: 'funnel',
    canWarn: true,
    async request(values, { access, services }) {
      const dates = readDates(values);
      const funnel = await readFunnel(values, access, services);
      const { length = funnel.length, length_unit: unit = funnel.lengthUnit } = values;
      if (checkFunnelLength(length, unit) !== undefined)
        throw new QueryError('parameter', 'The maximum length of a funnel is 90 days.', ['length', 'length_unit']);
      const { on, where, limit } = values;
      return {
        steps: funnel.steps,
        dates,
        length: length * LENGTH_UNITS[unit],
        bucket: readBucketSize(values),
        ...omitUndefined({ on, where }),
        limit,
      };
    },
    write: writeFunnel,
  }),
  declareEndpoint({
    path: '/funnels/list',
    schema: FUNNELS_SCHEMA,
    group: 'funnels',
    summary: 'List the funnels of the project',
    parameters: {},
    example: {},
    async handle(_, { access, services }) {
      assertWhole(access, 'saved funnels');
      const funnels = await services.funnels.list(access.project.name);
      return answerJson(funnels.map(({ id, name }) => ({ funnel_id: id, name })));
    },
  }),
];

/** Returns the saved funnel that a request names, or the one whose steps it has. */
async function readFunnel(
  {
    funnel_id: id,
    steps,
  }: { readonly funnel_id: number | undefined; readonly steps: readonly FunnelStep[] | undefined },
  access: Access,
  services: Services,
): Promise<Omit<FunnelContent, 'name'>> {
  if (steps !== undefined) return { steps, ...UNSAVED_LENGTH };
  if (id === undefined) throw apiErrors.missing('funnel_id');
  assertWhole(access, 'saved funnels');
  const funnel = await services.funnels.find(access.project.name, id);
  if (funnel !== undefined) return funnel;
  throw apiErrors.invalid('funnel_id', 'No funnel has this ID. `/funnels/list` lists all of them.');
}

function* writeFunnel(result: FunnelResult): Generator<string> {
  yield `{"meta":${JSON.stringify({ dates: result.dates })},"data":`;
  yield* stringifyInPieces(formatDates(result));
  yield '}';
}

function* formatDates({ dates, overall, segments }: FunnelResult): Generator<[label: string, funnel: unknown]> {
  for (const [index, label] of dates.entries()) {
    const all = formatFunnel(overall[index]);
    const bySegment = segments?.map((segment) => [segment.name, formatFunnel(segment.dates[index])] as const);
    // The second `$overall` wins over a segment of that name, and the first keeps the order.
    yield [label, bySegment === undefined ? all : new Map([['$overall', all], ...bySegment, ['$overall', all]])];
  }
}

function formatFunnel(steps: FunnelDate = []): object {
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
