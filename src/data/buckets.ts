/** The units of time for buckets. */
export const UNITS = ['hour', 'day', 'week', 'month'] as const;

export type TimeUnit = (typeof UNITS)[number];

/** Returns the label of the UTC bucket of a time in Unix seconds: the Monday of a week, the first day of a month. */
export function getBucket(seconds: number, unit: TimeUnit): string {
  const date = new Date(seconds * 1000);
  if (unit === 'hour') return `${date.toISOString().slice(0, 13).replace('T', ' ')}:00:00`;
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (unit === 'month') date.setUTCDate(1);
  return date.toISOString().slice(0, 10);
}

/** Returns all labels from the first to the last, including buckets without data. */
export function listBuckets(first: string, last: string, unit: TimeUnit): string[] {
  const labels: string[] = [];
  for (let label = first; label <= last; label = getNextBucket(label, unit)) labels.push(label);
  return labels;
}

function getNextBucket(label: string, unit: TimeUnit): string {
  const date = new Date(unit === 'hour' ? `${label.replace(' ', 'T')}Z` : `${label}T00:00:00Z`);
  if (unit === 'hour') date.setUTCHours(date.getUTCHours() + 1);
  if (unit === 'day') date.setUTCDate(date.getUTCDate() + 1);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() + 7);
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  return getBucket(date.getTime() / 1000, unit);
}
