import type { IntervalState } from '../../queries/interval-state.ts';
import type { BucketUnit } from '../../queries/requests.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The size of a bucket. */
export type TimeBucket = { readonly unit: BucketUnit } | { readonly days: number };

/** Returns the size of the buckets that a request asks for. */
export function readBucket(parameters: ReadonlyMap<string, string>): TimeBucket {
  const days = Number(parameters.get('interval') ?? '');
  return days > 0 ? { days } : { unit: (parameters.get('unit') ?? 'day') as BucketUnit };
}

/** Parses `2025-06-01` or `2025-06-01 13:00:00` into milliseconds, as if local time were UTC. */
export function parseTime(label: string): number {
  return Date.parse(label.length > 10 ? `${label.replace(' ', 'T')}Z` : label);
}

/** Returns the start of a bucket some buckets later, in milliseconds. */
export function moveBucket(start: number, bucket: TimeBucket, count: number): number {
  const date = new Date(start);
  if ('days' in bucket) return start + count * bucket.days * DAY_MS;
  if (bucket.unit === 'month') return date.setUTCMonth(date.getUTCMonth() + count, 1);
  return start + count * { minute: HOUR_MS / 60, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }[bucket.unit];
}

/** Returns the state of the bucket of a start, on a day, `yyyy-mm-dd`, which is not over. */
export function getBucketState(start: number, bucket: TimeBucket, today: string): IntervalState {
  const present = parseTime(today);
  if (start >= present + DAY_MS) return 'future';
  return moveBucket(start, bucket, 1) > present ? 'running' : 'over';
}

/** Formats a time of day if it is not midnight, or a day: `14:00`, `1 Jun`. */
function formatTime(time: number): string {
  return time % DAY_MS === 0 ? formatDate(time) : new Date(time).toISOString().slice(11, 16);
}

/** Formats a bucket: `Thu, 19 June`, `Thu, 19 June, 14:00`, `2–8 Jun`, `June 2025`. Names the year if it is not that of today. */
export function formatBucketTitle(label: string, bucket: TimeBucket, today: string): string {
  const start = parseTime(label);
  const date = new Date(start);
  const year = label.slice(0, 4) === today.slice(0, 4) ? '' : ` ${label.slice(0, 4)}`;
  const month = MONTHS[date.getUTCMonth()];
  if ('unit' in bucket && bucket.unit === 'month') return `${month} ${label.slice(0, 4)}`;
  const end = moveBucket(start, bucket, 1);
  if (end - start > DAY_MS) return `${formatSpan(start, end - DAY_MS)}${year}`;
  const day = `${WEEKDAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${month}${year}`;
  return end - start === DAY_MS ? day : `${day}, ${date.toISOString().slice(11, 16)}`;
}

/** Formats days from the first to the last: `2–8 Jun`, `30 Jun – 6 Jul`, `May` if they are a month. */
export function formatSpan(first: number, last: number): string {
  const [from, to] = [new Date(first), new Date(last)];
  const isSameMonth = from.toISOString().slice(0, 7) === to.toISOString().slice(0, 7);
  if (first === last) return formatDate(first);
  if (!isSameMonth) return `${formatDate(first)} – ${formatDate(last)}`;
  const isWholeMonth = from.getUTCDate() === 1 && new Date(last + DAY_MS).getUTCDate() === 1;
  return isWholeMonth ? `${MONTHS[from.getUTCMonth()]}` : `${from.getUTCDate()}–${formatDate(last)}`;
}

function formatDate(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${formatMonth(time)}`;
}

function formatMonth(time: number): string {
  return (MONTHS[new Date(time).getUTCMonth()] ?? '').slice(0, 3);
}

/** A label at a point of an axis. */
export interface AxisTick {
  readonly at: number;
  readonly text: string;
}

/** Steps between ticks within a day, in hours, in days, and in months; and of buckets of several days. */
const HOURS = [1 / 12, 1 / 4, 1 / 2, 1, 2, 3, 6, 12];
const DAYS = [1, 2, 7, 14];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120];
const COUNTS = [1, 2, 4, 8, 13, 26, 52, 104, 520];

/**
 * Chooses the ticks of an axis of time where people expect them: at full hours, midnights, every seventh day, first days
 * of months.
 *
 * @param times the starts of the buckets in milliseconds, in order
 * @param gap the number of buckets that a label needs
 */
export function chooseTimeTicks(times: readonly number[], gap: number): readonly AxisTick[] {
  const [first = 0, second = first + DAY_MS] = times;
  const isMonthly = times.length > 1 && times.every((time) => isMonthStart(time, 1)) && second - first >= 28 * DAY_MS;
  const midnight = Math.ceil(first / DAY_MS) * DAY_MS;
  const onDays = (days: number) => (time: number) => time % DAY_MS === 0 && (time - midnight) % (days * DAY_MS) === 0;
  const rules: ((time: number, at: number) => boolean)[] = isMonthly
    ? MONTH_STEPS.map((step) => (time) => isMonthStart(time, step))
    : second - first > DAY_MS
      ? COUNTS.map((step) => (_, at) => at % step === 0)
      : [
          ...(second - first < DAY_MS ? HOURS : []).map((hours) => (time: number) => time % (hours * HOUR_MS) === 0),
          ...DAYS.map(onDays),
          ...MONTH_STEPS.map((step) => (time: number) => isMonthStart(time, step)),
        ];
  for (const rule of rules) {
    const found = times.flatMap((time, at) => (rule(time, at) ? [at] : []));
    const isRoomy = found.every((at, index) => index === 0 || at - (found[index - 1] as number) >= gap);
    if (found.length === 0 || !isRoomy) continue;
    return found.map((at) => ({ at, text: formatAxisTime(times[at] as number, isMonthly) }));
  }
  return times.length === 0 ? [] : [{ at: 0, text: formatTime(first) }];
}

function isMonthStart(time: number, step: number): boolean {
  const date = new Date(time);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return time % DAY_MS === 0 && date.getUTCDate() === 1 && month % step === 0;
}

function formatAxisTime(time: number, isMonthly: boolean): string {
  if (!isMonthly) return formatTime(time);
  const date = new Date(time);
  return date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : formatMonth(time);
}
