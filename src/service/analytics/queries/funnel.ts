import { Buckets } from '../../../queries/buckets.ts';
import type { FunnelDate, FunnelRequest, FunnelResult, FunnelStepFilter } from '../../../queries/requests.ts';
import { lowerTimeRange } from '../../../queries/time-range.ts';
import type { JsonSqlRow } from '../../store/store-snapshot.ts';
import type { EventColumn } from '../sql/event-columns.ts';
import { EventQuery } from '../sql/event-query.ts';
import { lowerBucket } from '../sql/lower-bucket.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { addUp } from '../sql/shard-aggregate.ts';
import { getSqlFunctions } from '../sql/sql-functions.ts';
import { ALL_USERS, queryByDate } from './query-by-date.ts';
import { divideOrZero } from './query-series.ts';

/** The number of values of a step in an answer. */
const STEP_NUMBERS = 4;

/** More than the place of any event. */
const BEYOND_PLACES = 2 ** 50;

/**
 * Counts the users who reach each step of a funnel.
 *
 * The SQL works back from the last step. For each event, window functions find when the later steps would be completed
 * if it were the step before them.
 */
export async function queryFunnel(context: QueryContext, request: FunnelRequest): Promise<FunnelResult> {
  const { steps, dates, length, bucket, on, where, limit } = request;
  const buckets = Buckets.by(dates, bucket, context.timeZone);
  const query = new EventQuery(
    context,
    {
      events: [...new Set(steps.map(({ event }) => event))],
      span: { from: buckets.from, to: buckets.to + length },
      where,
    },
    createParts(request, buckets),
  );
  const order = defineSteps(query, steps, on !== undefined);
  defineWays(query, order, steps);
  defineFurthest(query, order, request, buckets);
  const reached = steps.map((_, index) => [
    `users_${index + 1}`,
    addUp(`count(CASE WHEN reach >= ${index + 1} THEN 1 END)`),
  ]);
  const taken = listLaterSteps(steps, 1).map((step) => [
    `seconds_${step}`,
    addUp(`sum(CASE WHEN reach >= ${step} THEN at_${step} - at_${step - 1} END)`),
  ]);
  const values = Object.fromEntries([...reached, ...taken]);
  query.group('cells', { from: 'furthest', keys: ['bucket', 'segment'], values });
  const { overall, segments } = await queryByDate(query, {
    buckets,
    on,
    by: 'users_1',
    limit,
    size: buckets.labels.length * steps.length * STEP_NUMBERS,
    summaryOf: ([row]) => toFunnelDate(steps, row),
  });
  return { dates: buckets.labels, overall, ...(on !== undefined && { segments }) };
}

function createParts({ steps, on }: FunnelRequest, buckets: Buckets): Record<string, EventColumn> {
  const parts = steps.map(({ event, where }, index): [string, EventColumn] => [
    `step_${index + 1}`,
    { use: 'where', event, expression: where },
  ]);
  return {
    ...Object.fromEntries(parts),
    ...(on !== undefined && { segment: { use: 'on', expression: on, span: buckets, given: 'step_1' } }),
  };
}

/** The columns of the step events. */
interface StepColumns {
  readonly columns: string;
  /** Returns SQL that tests whether an event can be a step. */
  isStep(step: number): string;
  /** Returns SQL that tests whether an event can be a step or an earlier one. */
  isUpTo(step: number): string;
}

/** Defines the step events with their order: by time, then by step. */
function defineSteps(query: EventQuery, steps: readonly FunnelStepFilter[], segmented: boolean): StepColumns {
  const names = steps.map((_, index) => `step_${index + 1}`);
  const lowest = `CASE ${names.map((name, index) => `WHEN ${name} THEN ${index + 1}`).join(' ')} ELSE 0 END`;
  query.define('stepping', `SELECT *, ${lowest} AS step FROM selected`);
  const isOneStep = new Set(steps.map(({ event }) => event)).size === steps.length;
  const columns = [
    'distinct_id',
    '"time"',
    'place',
    ...(isOneStep ? ['step'] : names),
    ...(segmented ? ['segment'] : []),
  ].join(', ');
  // Events that match a single step and have the same place never follow each other in an attempt.
  const order = ['"time"', 'step', ...names.toReversed(), ...(segmented ? [query.orderOf('segment')] : [])];
  const place = isOneStep
    ? `"time" * ${steps.length + 1} + step`
    : `row_number() OVER (PARTITION BY distinct_id ORDER BY ${order.join(', ')})`;
  query.define('strides', `SELECT *, ${place} AS place FROM stepping WHERE step > 0`);
  query.define(`ways_${steps.length}`, `SELECT ${columns} FROM strides`);
  if (isOneStep) return { columns, isStep: (step) => `step = ${step}`, isUpTo: (step) => `step <= ${step}` };
  return { columns, isStep: (step) => `step_${step}`, isUpTo: (step) => names.slice(0, step).join(' OR ') };
}

/**
 * Adds to each step event the times at which the later steps are completed, with no time limit.
 *
 * Works back from the last step: an event completes the later steps when the next event that matches the next step
 * does.
 */
function defineWays(
  query: EventQuery,
  { columns, isStep, isUpTo }: StepColumns,
  steps: readonly FunnelStepFilter[],
): void {
  // The next match gives the earliest times: starting later never completes earlier.
  const window = 'PARTITION BY distinct_id ORDER BY place DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';
  for (let step = steps.length - 1; step >= 1; step--) {
    const next = step + 1;
    const times = listLaterSteps(steps, step).map((last) => {
      const time = last === next ? '"time"' : `at_${next}_${last}`;
      return `min(CASE WHEN ${isStep(next)} THEN ${time} END) OVER (${window}) AS at_${step}_${last}`;
    });
    query.define(`ways_${step}`, `SELECT ${columns}, ${times.join(', ')} FROM ways_${next} WHERE ${isUpTo(next)}`);
  }
}

/** Defines each user's furthest attempt in each bucket and segment; the earliest of equal ones. */
function defineFurthest(query: EventQuery, { isStep }: StepColumns, request: FunnelRequest, buckets: Buckets): void {
  const { steps, length, on } = request;
  const times = listLaterSteps(steps, 1).map((step) => `at_1_${step} AS time_${step}`);
  const reach = listLaterSteps(steps, 1)
    .toReversed()
    .map((step) => `WHEN at_1_${step} <= "time" + ${length} THEN ${step}`);
  const attempts = [
    'distinct_id',
    `${lowerBucket(buckets, '"time"', query.dialect)} AS bucket`,
    `${on === undefined ? ALL_USERS : segmentsAndAll(query)} AS segment`,
    'place',
    '"time" AS time_1',
    ...times,
    `CASE ${reach.join(' ')} WHEN true THEN 1 END AS came`,
  ];
  query.define(
    'attempts',
    `SELECT ${attempts.join(', ')} FROM ways_1 WHERE ${[isStep(1), ...lowerTimeRange(buckets)].join(' AND ')}`,
  );
  const best = steps.map((_, index) => `argMin(time_${index + 1}, place - came * ${BEYOND_PLACES}) AS at_${index + 1}`);
  query.define(
    'furthest',
    `SELECT bucket, segment, max(came) AS reach, ${best.join(', ')} FROM attempts GROUP BY bucket, distinct_id, segment`,
  );
}

/** Returns SQL for a row for each segment of an event, and one for all users. */
function segmentsAndAll(query: EventQuery): string {
  const segments = query.isListed('segment') ? 'segment' : '[segment]';
  return query.dialect.unnest(getSqlFunctions(query.dialect).concat(`[${ALL_USERS}]`, segments));
}

/** Returns the numbers of the steps after `step`, counted from 1. */
function listLaterSteps(steps: readonly FunnelStepFilter[], step: number): number[] {
  return steps.map((_, index) => index + 1).slice(step);
}

function toFunnelDate(steps: readonly FunnelStepFilter[], row: JsonSqlRow | undefined): FunnelDate {
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
