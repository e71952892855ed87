import type { Bucket, BucketUnit, CountType } from '../../analytics/queries.ts';
import { apiErrors } from './api-errors.ts';
import { choice, integer } from './kinds.ts';
import { allowParameter, type Parameter } from './parameter.ts';

/** The parameter that says what is counted. */
export const TYPE = allowParameter(
  choice('general', 'unique', 'average'),
  'What is counted: events, the users who did them, or events for each of these.',
  'general',
);

/** The parameters of numbers over any unit of time, as JSON or as CSV. */
export const COUNTING = {
  type: TYPE,
  unit: allowParameter(
    choice('minute', 'hour', 'day', 'week', 'month'),
    'The unit of time that a bucket is. Users are not counted by `hour` or `minute`.',
    'day',
  ),
  format: allowParameter(
    choice('json', 'csv'),
    'What the answer is written in. In CSV, the first column is the bucket, and each other one a series.',
    'json',
  ),
} as const;

/** @throws {HttpError} where users would be counted by units that are too short for that. */
export function assertCountable({ type, unit }: { readonly type: CountType; readonly unit: BucketUnit }): void {
  if (type === 'unique' && (unit === 'hour' || unit === 'minute'))
    throw apiErrors.invalid('unit', 'Users are counted by `day`, `week` or `month`.');
}

/** The buckets of days that two parameters mean: so many days, or else a unit, or else each day. */
export function readBucketSize(asked: {
  readonly interval: number | undefined;
  readonly unit: 'day' | 'week' | 'month' | undefined;
}): Bucket {
  const { interval, unit } = asked;
  if (interval === undefined && unit !== undefined) return { unit };
  return { days: interval ?? 1 };
}

const MAX_SEGMENTS = 10_000;

/** The parameter that says how many segments are shown. */
export function limitSegments(otherwise: number): Parameter<number> {
  const description = 'How many segments are shown, the greatest ones. Only with `on`.';
  return allowParameter(integer({ most: MAX_SEGMENTS }), description, otherwise);
}
