import type { TimeZone } from '../lang/operators/time-zone.ts';
import { getStep, getZoneOffsets, type Steps } from '../lang/operators/zone-offsets.ts';

/** The units of time for buckets. */
export const UNITS = ['hour', 'day', 'week', 'month'] as const;

export type TimeUnit = (typeof UNITS)[number];

/** Returns how far the clocks of a time zone are ahead of UTC, by Unix time, as it counts for a unit. */
export function getOffsets(timeZone: TimeZone, unit: TimeUnit): Steps {
  const { ofTimes, ofDays } = getZoneOffsets(timeZone);
  return unit === 'hour' ? ofTimes : ofDays;
}

/** Converts Unix seconds to local seconds, whose bucket is that of the time. */
export function toLocalSeconds(seconds: number, unit: TimeUnit, timeZone: TimeZone | undefined): number {
  return timeZone === undefined ? seconds : seconds + getStep(getOffsets(timeZone, unit), seconds);
}

/** Returns the label of the bucket of a time in local seconds: the Monday of a week, the first day of a month. */
export function getBucket(local: number, unit: TimeUnit): string {
  const date = new Date(local * 1000);
  if (unit === 'hour') return `${date.toISOString().slice(0, 13).replace('T', ' ')}:00:00`;
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (unit === 'month') date.setUTCDate(1);
  return date.toISOString().slice(0, 10);
}

/** Returns all labels from the first to the last, including buckets without data, but no hour that the clocks skip. */
export function listBuckets(first: string, last: string, unit: TimeUnit, timeZone?: TimeZone): string[] {
  const labels: string[] = [];
  for (let label = first; label <= last; label = getNextBucket(label, unit))
    if (unit !== 'hour' || timeZone === undefined || isShown(label, timeZone)) labels.push(label);
  return labels;
}

/** Returns whether the clocks of a zone show the start or the end of an hour. */
function isShown(label: string, timeZone: TimeZone): boolean {
  const start = Date.parse(`${label.replace(' ', 'T')}Z`) / 1000;
  return [start, start + 3599].some(
    (local) => toLocalSeconds(timeZone.toUnixSeconds(local), 'hour', timeZone) === local,
  );
}

function getNextBucket(label: string, unit: TimeUnit): string {
  const date = new Date(unit === 'hour' ? `${label.replace(' ', 'T')}Z` : `${label}T00:00:00Z`);
  if (unit === 'hour') date.setUTCHours(date.getUTCHours() + 1);
  if (unit === 'day') date.setUTCDate(date.getUTCDate() + 1);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() + 7);
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  return getBucket(date.getTime() / 1000, unit);
}
