import type { BucketUnit, CountType } from '../../analytics/queries.ts';
import { choice } from './kinds.ts';
import { allowParameter } from './parameter.ts';
import { apiErrors } from './published.ts';

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
