import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { Buckets } from '../../../src/queries/buckets.ts';
import type { BucketUnit, DateRange } from '../../../src/queries/requests.ts';

/**
 * Time zones with changes of half an hour, across midnight, of a day and in Ramadan, and with offsets of three quarters
 * or of seconds.
 */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Asia/Gaza',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Antarctica/Casey',
  'Antarctica/Troll',
];

/** Days with unusual clock changes. */
const STRANGE_DAYS = ['1972-01-07', '1993-08-21', '2006-10-29', '2010-03-05', '2011-12-30', '2016-10-22', '2024-03-10'];

/** Dates in a time zone, and the unit or the length of their buckets. */
export interface BucketRequest {
  readonly dates: DateRange;
  readonly unit: BucketUnit | { readonly days: number };
  readonly timeZone: string;
}

export interface RandomBuckets extends BucketRequest {
  readonly buckets: Buckets;
}

const MAX_LENGTHS = { minute: 3, hour: 100, day: 1_000, week: 3_000, month: 40_000 };

const anyUnit = fc.oneof(
  fc.constantFrom<BucketUnit>('minute', 'hour', 'day', 'week', 'month'),
  fc.record({ days: fc.integer({ min: 1, max: 90 }) }),
);

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

const anyDay = fc.oneof(
  fc.integer({ min: 0, max: 49_600 }).map((days) => dayAfter('1970-01-01', days)),
  fc.tuple(fc.constantFrom(...STRANGE_DAYS), fc.integer({ min: -3, max: 1 })).map(([day, days]) => dayAfter(day, days)),
);

/** Buckets of every kind in zones with unusual clocks. */
export const anyBuckets: fc.Arbitrary<RandomBuckets> = fc
  .record({
    from: anyDay,
    unit: anyUnit,
    timeZone: fc.constantFrom(...ZONES),
    length: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ from, unit, timeZone, length }) => {
    const longest = MAX_LENGTHS[typeof unit === 'string' ? unit : 'day'];
    const last = dayAfter(from, Math.floor(length ** 3 * longest));
    const request = { dates: { from, to: last > '2105-12-31' ? '2105-12-31' : last }, unit, timeZone };
    return { ...request, buckets: createBuckets(request) };
  });

export function createBuckets({ dates, unit, timeZone }: BucketRequest): Buckets {
  return typeof unit === 'string' ? Buckets.units(dates, unit, timeZone) : Buckets.days(dates, unit.days, timeZone);
}

/** Returns the local date of a time and the label of its bucket, computed by Temporal. */
export function toLocal(
  seconds: number,
  { dates, unit, timeZone }: BucketRequest,
): { readonly date: string; readonly label: string } {
  const local = Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime();
  const isClock = unit === 'minute' || unit === 'hour';
  const date = isClock ? local.toPlainDate() : findDay(seconds, local.toPlainDate(), timeZone);
  const clock = local.toString({ smallestUnit: 'second' }).replace('T', ' ');
  const labelOf = () => {
    switch (unit) {
      case 'minute':
        return `${clock.slice(0, 16)}:00`;
      case 'hour':
        return `${clock.slice(0, 13)}:00:00`;
      case 'day':
        return date.toString();
      case 'week':
        return date.subtract({ days: date.dayOfWeek - 1 }).toString();
      case 'month':
        return date.with({ day: 1 }).toString();
      default:
        return date.subtract({ days: Temporal.PlainDate.from(dates.from).until(date).days % unit.days }).toString();
    }
  };
  return { date: date.toString(), label: labelOf() };
}

/** Returns the last day that has begun: after clocks went back across midnight, another than they show. */
function findDay(seconds: number, shown: Temporal.PlainDate, timeZone: string): Temporal.PlainDate {
  const next = shown.add({ days: 1 });
  return next.toZonedDateTime(timeZone).epochMilliseconds <= seconds * 1000 ? next : shown;
}

/** Returns random times in buckets, often near their ends, and those around the first change of clocks. */
export function sampleTimes({ buckets: { from, to }, timeZone }: RandomBuckets, seed: number): number[] {
  const anywhere = fc.sample(fc.integer({ min: from, max: Math.max(from, to - 1) }), { seed, numRuns: 10 });
  const halfHours = fc
    .sample(fc.integer({ min: 0, max: 600 }), { seed, numRuns: 10 })
    .flatMap((halves) => [from + halves * 1800, from + halves * 1800 - 1, to - halves * 1800, to - halves * 1800 - 1]);
  const begin = Temporal.Instant.fromEpochMilliseconds(from * 1000).toZonedDateTimeISO(timeZone);
  const change = (begin.getTimeZoneTransition('next')?.epochMilliseconds ?? 0) / 1000;
  return [...anywhere, ...halfHours, change - 1, change].filter((time) => time >= from && time < to);
}
