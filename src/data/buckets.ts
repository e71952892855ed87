/** The units that time can be cut into. */
export const UNITS = ['hour', 'day', 'week', 'month'] as const;

export type TimeUnit = (typeof UNITS)[number];

/** The label of the bucket that a time (Unix seconds, UTC) is in: a week is named by its Monday, a month by its first day. */
export function getBucket(seconds: number, unit: TimeUnit): string {
  const date = new Date(seconds * 1000);
  if (unit === 'hour') return `${date.toISOString().slice(0, 13).replace('T', ' ')}:00:00`;
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (unit === 'month') date.setUTCDate(1);
  return date.toISOString().slice(0, 10);
}

/** Every label from the first to the last, so that a bucket without data still has its place. */
export function listBuckets(first: string, last: string, unit: TimeUnit): string[] {
  const labels: string[] = [];
  for (let label = first; label <= last; label = next(label, unit)) labels.push(label);
  return labels;
}

function next(label: string, unit: TimeUnit): string {
  const date = new Date(unit === 'hour' ? `${label.replace(' ', 'T')}Z` : `${label}T00:00:00Z`);
  if (unit === 'hour') date.setUTCHours(date.getUTCHours() + 1);
  if (unit === 'day') date.setUTCDate(date.getUTCDate() + 1);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() + 7);
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  return getBucket(date.getTime() / 1000, unit);
}
