import type { Bucket, BucketUnit, CountType } from '../requests.ts';
import { apiErrors } from './api-errors.ts';
import { choice, integer } from './kinds.ts';
import { allowParameter, type Parameter } from './parameter.ts';

/** The parameter that selects the count: events, users or their ratio. */
export const TYPE = allowParameter(
  choice('general', 'unique', 'average'),
  'Count events, unique users, or events per user.',
  'general',
);

/** The parameters of a time series that is returned as JSON or CSV. */
export const COUNTING = {
  type: TYPE,
  unit: allowParameter(
    choice('minute', 'hour', 'day', 'week', 'month'),
    'Time unit of a bucket. Unique users require `day`, `week` or `month`.',
    'day',
  ),
  format: allowParameter(
    choice('json', 'csv'),
    'Response format. The first column of CSV is the bucket; every other column is a series.',
    'json',
  ),
} as const;

/** @throws {HttpError} if unique users are requested per hour or minute */
export function assertCountable({ type, unit }: { readonly type: CountType; readonly unit: BucketUnit }): void {
  if (type === 'unique' && (unit === 'hour' || unit === 'minute'))
    throw apiErrors.invalid('unit', 'Unique users require `day`, `week` or `month`.');
}

/** Returns the bucket size of a query: `interval` days, else one `unit`, else one day. */
export function readBucketSize(values: {
  readonly interval: number | undefined;
  readonly unit: 'day' | 'week' | 'month' | undefined;
}): Bucket {
  const { interval, unit } = values;
  if (interval === undefined && unit !== undefined) return { unit };
  return { days: interval ?? 1 };
}

/** The most segments that a request can ask for. */
export const MAX_SEGMENTS = 10_000;

/** Declares the parameter `limit`, the maximum number of segments. */
export function limitSegments(defaultValue: number): Parameter<number> {
  const description = 'Maximum number of segments, largest first. Used only with `on`.';
  return allowParameter(integer({ max: MAX_SEGMENTS }), description, defaultValue);
}
