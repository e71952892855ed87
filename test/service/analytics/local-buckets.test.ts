import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { compile } from '../../../src/api/expressions.ts';
import { findTimeZone } from '../../../src/lang/operators/time-zone.ts';
import { getZoneOffsets } from '../../../src/lang/operators/zone-offsets.ts';
import { Buckets } from '../../../src/service/analytics/buckets.ts';
import type { BucketUnit } from '../../../src/service/analytics/queries.ts';
import { IN_FULL, runs } from '../../runs.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

const DAY = 86_400;
const LAST_DAY = 2 ** 32 - 4 * DAY;
const formatDay = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Clocks change around these days: in St. John's from 00:01 to the previous day, in Apia by a whole day. */
const DAYS = ['2006-10-28', '2006-10-29', '2024-03-31', '2024-10-27', '2011-12-29', '2011-12-31', '2024-04-07'];

/** A range of days and the unit of its buckets, or their number of days. */
const ranges = fc
  .record({
    timeZone: fc.constantFrom(...ZONES),
    day: fc.constantFrom(...DAYS),
    days: fc.nat(9),
    unit: fc.constantFrom<BucketUnit | number>('minute', 'hour', 'day', 'week', 'month', 1, 2, 3),
  })
  .map(({ day, days, ...rest }) => {
    return { ...rest, dates: { from: day, to: Temporal.PlainDate.from(day).add({ days }).toString() } };
  });

/** An hour in which clocks showed another day. */
const WITH_GAP = {
  timeZone: 'America/St_Johns',
  unit: 'hour',
  dates: { from: '2006-10-29', to: '2006-10-29' },
} as const;

/** Returns the last day that has begun: after clocks went back across midnight, another than they show. */
function findDay(seconds: number, shown: Temporal.PlainDate, timeZone: string): Temporal.PlainDate {
  const next = shown.add({ days: 1 });
  return next.toZonedDateTime(timeZone).epochMilliseconds <= seconds * 1000 ? next : shown;
}

/** Returns the local date of a time, and the label of its bucket. */
function toLocal(
  seconds: number,
  timeZone: string,
  unit: BucketUnit | number,
  first: string,
): { date: string; label: string } {
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
        return date.subtract({ days: Temporal.PlainDate.from(first).until(date).days % unit }).toString();
    }
  };
  return { date: date.toString(), label: labelOf() };
}

it('Buckets assigns each time to the bucket of its local time, or to a gap outside the range', () => {
  let gaps = 0;
  fc.assert(
    fc.property(ranges, fc.array(fc.nat()), ({ dates, timeZone, unit }, parts) => {
      const buckets =
        typeof unit === 'string' ? Buckets.units(dates, unit, timeZone) : Buckets.days(dates, unit, timeZone);
      const within = parts.map((part) => buckets.from + (part % (buckets.to - buckets.from)));
      const begin = Temporal.Instant.fromEpochMilliseconds(buckets.from * 1000).toZonedDateTimeISO(timeZone);
      const jump = (begin.getTimeZoneTransition('next')?.epochMilliseconds ?? 0) / 1000;
      const jumps = [jump, ...buckets.gaps.flatMap(({ from, to }) => [from, to])];
      const edges = jumps.flatMap((seconds) => [seconds - 1, seconds]);
      const times = [buckets.from, buckets.to - 1, ...edges, ...within];
      for (const seconds of times.filter((time) => time >= buckets.from && time < buckets.to)) {
        const { date, label } = toLocal(seconds, timeZone, unit, dates.from);
        const isOutside = date < dates.from || date > dates.to;
        expect(buckets.gaps.some(({ from, to }) => from <= seconds && seconds < to)).toBe(isOutside);
        if (isOutside) gaps++;
        else expect(buckets.labels[buckets.indexOf(seconds)]).toBe(label);
      }
      for (const seconds of [buckets.from - 1, buckets.to]) {
        const { date } = toLocal(seconds, timeZone, unit, dates.from);
        expect(date < dates.from || date > dates.to).toBe(true);
      }
    }),
    { numRuns: runs(500), examples: [[WITH_GAP, []]] },
  );
  expect(gaps).toBeGreaterThan(0);
});

const NAMES = Intl.supportedValuesOf('timeZone').filter((_, index) => IN_FULL || index % 40 === 0);

it(`Buckets of days agree with filters of dates at every half hour around clock changes in ${NAMES.length} zones`, () => {
  for (const timeZone of NAMES) {
    const toSeconds = compile('datetime(properties["day"])', { timeZone });
    const zone = findTimeZone(timeZone);
    const locals = zone === undefined ? [] : getZoneOffsets(zone).ofLocalTimes.limits;
    const changes = locals.filter((local) => local > 3 * DAY && local < LAST_DAY);
    for (const local of IN_FULL ? changes : changes.slice(-8)) {
      const days = [-1, 0, 1, 2].map((day) => formatDay(Math.floor(local / DAY) * DAY + day * DAY));
      const starts = days.map((day) => Number(toSeconds({ day })));
      const [from = '', , to = ''] = days;
      const buckets = Buckets.units({ from, to }, 'day', timeZone);
      expect([timeZone, buckets.from, buckets.to, buckets.gaps]).toEqual([timeZone, starts[0], starts[3], []]);
      const times = Array.from({ length: (buckets.to - buckets.from) / 1800 }, (_, half) => buckets.from + half * 1800);
      const shown = times.map((time) => buckets.labels[buckets.indexOf(time)]);
      expect([timeZone, ...shown]).toEqual([
        timeZone,
        ...times.map((time) => days[starts.findLastIndex((start) => start <= time)]),
      ]);
    }
  }
}, 600_000);

it('Buckets includes each day, even one that a time zone skipped', () => {
  const dates = { from: '2011-12-28', to: '2012-01-01' };
  const labels = ['2011-12-28', '2011-12-29', '2011-12-30', '2011-12-31', '2012-01-01'];
  for (const timeZone of ['UTC', 'Pacific/Apia']) expect(Buckets.units(dates, 'day', timeZone).labels).toEqual(labels);
});

it('Buckets allows at most 100,000 buckets', () => {
  const first = Temporal.PlainDate.from('1970-01-01');
  const labelsOf = (days: number) =>
    Buckets.days({ from: `${first}`, to: `${first.add({ days: days - 1 })}` }, 1, 'UTC').labels;
  expect(labelsOf(100_000)).toHaveLength(100_000);
  expect(() => labelsOf(100_001)).toThrow('100,001 numbers for each series are too many');
});
