import type { Bucket } from './requests.ts';

/** Whether an interval of retention has ended, has begun or lies in the future. */
export type IntervalState = 'over' | 'running' | 'future';

/**
 * Returns the state of an interval of a cohort at the end of a day. Only an interval that is over shows how many users
 * returned; one in the future is blank.
 *
 * @param cohort the date of the cohort, `yyyy-mm-dd`, with which interval 0 begins
 * @param bucket the length of an interval
 * @param interval the number of the interval
 * @param today the local date of the present, `yyyy-mm-dd`
 */
export function getIntervalState(cohort: string, bucket: Bucket, interval: number, today: string): IntervalState {
  const present = Date.parse(today);
  if (present < getStart(cohort, bucket, interval)) return 'future';
  return present < getStart(cohort, bucket, interval + 1) ? 'running' : 'over';
}

/** Returns the start of an interval in milliseconds, as if local time were UTC. */
function getStart(cohort: string, bucket: Bucket, interval: number): number {
  const date = new Date(cohort);
  if ('days' in bucket) return date.setUTCDate(date.getUTCDate() + bucket.days * interval);
  if (bucket.unit === 'month') return date.setUTCMonth(date.getUTCMonth() + interval);
  return date.setUTCDate(date.getUTCDate() + (bucket.unit === 'week' ? 7 : 1) * interval);
}
