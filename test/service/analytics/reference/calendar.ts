import { Temporal } from 'temporal-polyfill';
import type { Bucket, BucketUnit, DateRange, LatestUnits } from '../../../../src/queries/requests.ts';

/** Buckets in order, each named by a string. */
export interface Buckets {
  readonly labels: readonly string[];
  /** Returns the label of the bucket of a time; undefined if it is in none. */
  labelOf(seconds: number): string | undefined;
}

/** The local time of a time zone as strings: `yyyy-mm-dd HH:MM`, or a day, `yyyy-mm-dd`. */
export class Calendar {
  private readonly minutes = new Map<number, string>();

  constructor(private readonly timeZone: string) {}

  /** Returns the day of a time: the last one that has begun, even if clocks went back across its start. */
  dayOf(seconds: number): string {
    const shown = this.shownDay(seconds);
    const next = dayAfter(shown, 1);
    return this.startOf(next) <= seconds ? next : shown;
  }

  private shownDay(seconds: number): string {
    return this.minuteOf(seconds).slice(0, 10);
  }

  /** Returns the first time at which clocks showed the same minute on the previous day. */
  dayBefore(seconds: number): number {
    const [day = '', minute] = this.minuteOf(seconds).split(' ');
    return (
      Temporal.PlainDateTime.from(`${dayAfter(day, -1)}T${minute}`).toZonedDateTime(this.timeZone).epochMilliseconds /
      1000
    );
  }

  /** Returns the hour of a time; the same for both hours when clocks go back. */
  hourOf(seconds: number): string {
    return `${this.minuteOf(seconds).slice(0, 13)}:00:00`;
  }

  /** Returns the first start of a day. */
  startOf(day: string): number {
    return Temporal.PlainDate.from(day).toZonedDateTime(this.timeZone).epochMilliseconds / 1000;
  }

  /** Returns the first end of a day: the first start of the next. */
  endOf(day: string): number {
    return this.startOf(dayAfter(day, 1));
  }

  /** Returns the buckets of the events of some days. */
  buckets(dates: DateRange, bucket: Bucket | { readonly unit: BucketUnit }): Buckets {
    if ('unit' in bucket && isClockUnit(bucket.unit)) return this.clockBuckets(dates, bucket.unit);
    const labelOfDay = (day: string) => firstDay(day, bucket as Bucket, dates.from);
    return {
      labels: distinct(daysFrom(dates).map(labelOfDay)),
      labelOf: (seconds) => {
        const day = this.dayOf(seconds);
        return isWithin(day, dates) ? labelOfDay(day) : undefined;
      },
    };
  }

  /** Returns the latest whole units including the current one. */
  latest(now: number, { latest }: LatestUnits, unit: BucketUnit): Buckets {
    if (isClockUnit(unit)) return this.latestOnClock(now, latest, unit);
    const first = Temporal.PlainDate.from(firstDay(this.dayOf(now), { unit }));
    const from = first.subtract({ [`${unit}s`]: latest - 1 });
    const to = first.add({ [`${unit}s`]: 1 }).subtract({ days: 1 });
    return this.buckets({ from: from.toString(), to: to.toString() }, { unit });
  }

  private clockBuckets(dates: DateRange, unit: ClockUnit): Buckets {
    const labels: string[] = [];
    for (let time = this.startOf(dates.from); time < this.lastEndOf(dates.to); time += STEPS[unit]) {
      if (isWithin(this.shownDay(time), dates)) labels.push(this.clockLabel(time, unit));
    }
    return this.bucketsNamed(labels, unit);
  }

  /** Returns the last end of a day: clocks that go back across it show hours of the day again. */
  private lastEndOf(day: string): number {
    const midnight = Temporal.PlainDate.from(day).add({ days: 1 }).toPlainDateTime();
    return midnight.toZonedDateTime(this.timeZone, { disambiguation: 'later' }).epochMilliseconds / 1000;
  }

  /** Excludes local times later than the current one, which occur after clocks went back. */
  private latestOnClock(now: number, latest: number, unit: ClockUnit): Buckets {
    const present = this.clockLabel(now, unit);
    const labels = new Set<string>();
    for (let time = now; labels.size < latest; time -= STEPS[unit]) {
      const label = this.clockLabel(time, unit);
      if (label <= present) labels.add(label);
    }
    return this.bucketsNamed([...labels], unit);
  }

  private bucketsNamed(names: readonly string[], unit: ClockUnit): Buckets {
    const labels = new Set(names);
    return {
      labels: [...labels].sort(),
      labelOf: (seconds) => {
        const label = this.clockLabel(seconds, unit);
        return labels.has(label) ? label : undefined;
      },
    };
  }

  private clockLabel(seconds: number, unit: ClockUnit): string {
    return unit === 'hour' ? this.hourOf(seconds) : `${this.minuteOf(seconds)}:00`;
  }

  private minuteOf(seconds: number): string {
    const minute = Math.floor(seconds / 60);
    const local = this.minutes.get(minute) ?? formatMinute(minute, this.timeZone);
    this.minutes.set(minute, local);
    return local;
  }
}

type ClockUnit = 'minute' | 'hour';

/** Steps in seconds that miss no unit: clocks change by multiples of a quarter of an hour. */
const STEPS: Readonly<Record<ClockUnit, number>> = { minute: 60, hour: 900 };

function isClockUnit(unit: BucketUnit): unit is ClockUnit {
  return unit in STEPS;
}

function formatMinute(minute: number, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(timeZone);
  return local.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
}

/** Returns the day that names the bucket of a day. */
function firstDay(day: string, bucket: Bucket, from = day): string {
  if ('days' in bucket) return dayAfter(day, -(daysBetween(from, day) % bucket.days));
  if (bucket.unit === 'week') return dayAfter(day, 1 - Temporal.PlainDate.from(day).dayOfWeek);
  return bucket.unit === 'month' ? `${day.slice(0, 7)}-01` : day;
}

/** Returns the number of buckets between two days, in buckets of days that begin at the first. */
export function bucketsBetween(first: string, day: string, bucket: Bucket): number {
  if ('days' in bucket) return Math.floor(daysBetween(first, day) / bucket.days);
  const largestUnit = bucket.unit;
  const [start, end] = [first, day].map((each) => Temporal.PlainDate.from(firstDay(each, bucket)));
  const { days, weeks, months } = (start as Temporal.PlainDate).until(end as Temporal.PlainDate, { largestUnit });
  return { day: days, week: weeks, month: months }[largestUnit];
}

/** Returns the number of days between two days. */
function daysBetween(first: string, day: string): number {
  return Temporal.PlainDate.from(first).until(day, { largestUnit: 'day' }).days;
}

/** Returns the day a number of days later. */
export function dayAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Returns the number of days in the month of a day. */
export function daysInMonth(day: string): number {
  return Temporal.PlainDate.from(day).daysInMonth;
}

/** Returns whether a day is in a range. */
export function isWithin(day: string, { from, to }: DateRange): boolean {
  return from <= day && day <= to;
}

function daysFrom({ from, to }: DateRange): string[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => dayAfter(from, index));
}

function distinct(labels: readonly string[]): string[] {
  return [...new Set(labels)];
}
