import type { JsonSqlRow } from '../store/store-snapshot.ts';
import { Buckets } from './buckets.ts';
import { type EventColumn, EventQuery } from './event-query.ts';
import type { FunnelDate, FunnelRequest, FunnelResult, FunnelStepFilter } from './queries.ts';
import { ALL_USERS, queryByDate } from './query-by-date.ts';
import type { QueryContext } from './query-context.ts';
import { divideOrZero } from './query-series.ts';
import { getSqlFunctions } from './sql-functions.ts';
import { lowerTimeRange } from './time-range.ts';

/** How many numbers a step has in an answer. */
const STEP_NUMBERS = 4;

/** More than any place in the order of events. */
const BEYOND_PLACES = 2 ** 50;

/**
 * How far users come on a way of several events.
 *
 * The SQL goes from the last step back: for each event, window functions find when the steps after it would be done if it was the step before them.
 */
export async function queryFunnel(scope: QueryContext, request: FunnelRequest): Promise<FunnelResult> {
  const { steps, dates, length, bucket, on, where, limit } = request;
  const buckets = Buckets.by(dates, bucket, scope.timeZone);
  const question = new EventQuery(
    scope,
    {
      events: [...new Set(steps.map(({ event }) => event))],
      span: { from: buckets.from, to: buckets.to + length },
      where,
    },
    partsOf(request, buckets),
  );
  const order = defineSteps(question, steps, on !== undefined);
  defineWays(question, order, steps);
  defineFurthest(question, order, request, buckets);
  const reached = steps.map((_, index) => `count(CASE WHEN reach >= ${index + 1} THEN 1 END) AS users_${index + 1}`);
  const taken = later(steps, 1).map(
    (step) => `sum(CASE WHEN reach >= ${step} THEN at_${step} - at_${step - 1} END) AS seconds_${step}`,
  );
  const cells = `SELECT bucket, segment, ${[...reached, ...taken].join(', ')} FROM furthest GROUP BY bucket, segment`;
  question.define('cells', cells);
  const { overall, segments } = await queryByDate(question, {
    buckets,
    on,
    by: 'users_1',
    limit,
    size: buckets.labels.length * steps.length * STEP_NUMBERS,
    summaryOf: ([row]) => funnelDate(steps, row),
  });
  return { dates: buckets.labels, overall, ...(on !== undefined && { segments }) };
}

function partsOf({ steps, on }: FunnelRequest, buckets: Buckets): Record<string, EventColumn> {
  const parts = steps.map(({ event, where }, index): [string, EventColumn] => [
    `step_${index + 1}`,
    { use: 'where', event, expression: where },
  ]);
  return {
    ...Object.fromEntries(parts),
    ...(on !== undefined && { segment: { use: 'on', expression: on, span: buckets, given: 'step_1' } }),
  };
}

/** What the events that are steps have in the tables of their ways. */
interface Strides {
  readonly columns: string;
  /** Whether an event can be a step. */
  isStep(step: number): string;
  /** Whether it can be a step or one before that. */
  isUpTo(step: number): string;
}

/** The events that are steps, with their places in the order in which users take them: that of times, and then of steps. */
function defineSteps(question: EventQuery, steps: readonly FunnelStepFilter[], segmented: boolean): Strides {
  const names = steps.map((_, index) => `step_${index + 1}`);
  const lowest = `CASE ${names.map((name, index) => `WHEN ${name} THEN ${index + 1}`).join(' ')} ELSE 0 END`;
  question.define('stepping', `SELECT *, ${lowest} AS step FROM selected`);
  const isOneStep = new Set(steps.map(({ event }) => event)).size === steps.length;
  const columns = [
    'distinct_id',
    '"time"',
    'place',
    ...(isOneStep ? ['step'] : names),
    ...(segmented ? ['segment'] : []),
  ].join(', ');
  // Events that are one step only and have the same place never follow each other in an attempt.
  const order = ['"time"', 'step', ...names.toReversed(), ...(segmented ? [question.orderOf('segment')] : [])];
  const place = isOneStep
    ? `"time" * ${steps.length + 1} + step`
    : `row_number() OVER (PARTITION BY distinct_id ORDER BY ${order.join(', ')})`;
  question.define('strides', `SELECT *, ${place} AS place FROM stepping WHERE step > 0`);
  question.define(`ways_${steps.length}`, `SELECT ${columns} FROM strides`);
  if (isOneStep) return { columns, isStep: (step) => `step = ${step}`, isUpTo: (step) => `step <= ${step}` };
  return { columns, isStep: (step) => `step_${step}`, isUpTo: (step) => names.slice(0, step).join(' OR ') };
}

/**
 * With the events that are steps, the times at which the steps after them are done, however late. Goes from the last step back: for each event, those after it
 * are done as from the next event that can be the next step.
 */
function defineWays(
  question: EventQuery,
  { columns, isStep, isUpTo }: Strides,
  steps: readonly FunnelStepFilter[],
): void {
  // The earliest times are those of the next event, for who starts later never comes sooner.
  const window = 'PARTITION BY distinct_id ORDER BY place DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';
  for (let step = steps.length - 1; step >= 1; step--) {
    const next = step + 1;
    const times = later(steps, step).map((last) => {
      const time = last === next ? '"time"' : `at_${next}_${last}`;
      return `min(CASE WHEN ${isStep(next)} THEN ${time} END) OVER (${window}) AS at_${step}_${last}`;
    });
    question.define(`ways_${step}`, `SELECT ${columns}, ${times.join(', ')} FROM ways_${next} WHERE ${isUpTo(next)}`);
  }
}

/** Of each user, bucket and segment, the attempt that comes furthest, and of several the earliest. */
function defineFurthest(question: EventQuery, { isStep }: Strides, request: FunnelRequest, buckets: Buckets): void {
  const { steps, length, on } = request;
  const times = later(steps, 1).map((step) => `at_1_${step} AS time_${step}`);
  const reach = later(steps, 1)
    .toReversed()
    .map((step) => `WHEN at_1_${step} <= "time" + ${length} THEN ${step}`);
  const attempts = [
    'distinct_id',
    `${buckets.sql('"time"', question.dialect)} AS bucket`,
    `${on === undefined ? ALL_USERS : segmentsAndAll(question)} AS segment`,
    'place',
    '"time" AS time_1',
    ...times,
    `CASE ${reach.join(' ')} WHEN true THEN 1 END AS came`,
  ];
  question.define(
    'attempts',
    `SELECT ${attempts.join(', ')} FROM ways_1 WHERE ${[isStep(1), ...lowerTimeRange(buckets)].join(' AND ')}`,
  );
  const best = steps.map((_, index) => `argMin(time_${index + 1}, place - came * ${BEYOND_PLACES}) AS at_${index + 1}`);
  question.define(
    'furthest',
    `SELECT bucket, segment, max(came) AS reach, ${best.join(', ')} FROM attempts GROUP BY bucket, distinct_id, segment`,
  );
}

/** A row for each segment of an event, and one for all users. */
function segmentsAndAll(question: EventQuery): string {
  const segments = question.isListed('segment') ? 'segment' : '[segment]';
  return question.dialect.unnest(getSqlFunctions(question.dialect).concat(`[${ALL_USERS}]`, segments));
}

/** The numbers of the steps after one, which count from 1. */
function later(steps: readonly FunnelStepFilter[], step: number): number[] {
  return steps.map((_, index) => index + 1).slice(step);
}

function funnelDate(steps: readonly FunnelStepFilter[], row: JsonSqlRow | undefined): FunnelDate {
  const counts = steps.map((_, index) => Number(row?.[`users_${index + 1}`] ?? 0));
  return steps.map(({ event }, index) => {
    const count = counts[index] ?? 0;
    if (index === 0) return { event, count, stepRatio: 1, overallRatio: 1, averageTime: null };
    return {
      event,
      count,
      stepRatio: divideOrZero(count, counts[index - 1] ?? 0),
      overallRatio: divideOrZero(count, counts[0] ?? 0),
      averageTime: count === 0 ? null : Number(row?.[`seconds_${index + 1}`]) / count,
    };
  });
}
