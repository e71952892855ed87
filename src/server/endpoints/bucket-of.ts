import type { Bucket } from '../../analytics/queries.ts';

/** The buckets of days that two parameters mean: so many days, or else a unit, or else each day. */
export function readBucketSize(asked: {
  readonly interval: number | undefined;
  readonly unit: 'day' | 'week' | 'month' | undefined;
}): Bucket {
  const { interval, unit } = asked;
  if (interval === undefined && unit !== undefined) return { unit };
  return { days: interval ?? 1 };
}
