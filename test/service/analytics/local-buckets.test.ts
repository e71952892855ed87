import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { compile } from '../../../src/api/expressions.ts';
import { findTimeZone } from '../../../src/lang/operators/time-zone.ts';
import { getZoneOffsets } from '../../../src/lang/operators/zone-offsets.ts';
import { Buckets } from '../../../src/queries/buckets.ts';
import type { BucketUnit } from '../../../src/queries/requests.ts';
import { IN_FULL, runs } from '../../runs.ts';
import { type BucketRequest, createBuckets, toLocal } from './any-buckets.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

const DAY = 86_400;
const LAST_DAY = 2 ** 32 - 4 * DAY;
const formatDay = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Clocks change around these days: in St. John's from 00:01 to the previous day, in Apia by a whole day. */
const DAYS = ['2006-10-28', '2006-10-29', '2024-03-31', '2024-10-27', '2011-12-29', '2011-12-31', '2024-04-07'];

const requests: fc.Arbitrary<BucketRequest> = fc
  .record({
    timeZone: fc.constantFrom(...ZONES),
    day: fc.constantFrom(...DAYS),
    days: fc.nat(9),
    unit: fc.oneof(
      fc.constantFrom<BucketUnit>('minute', 'hour', 'day', 'week', 'month'),
      fc.record({ days: fc.integer({ min: 1, max: 3 }) }),
    ),
  })
  .map(({ day, days, ...rest }) => {
    return { ...rest, dates: { from: day, to: Temporal.PlainDate.from(day).add({ days }).toString() } };
  });

/** An hour in which clocks showed another day. */
const WITH_GAP: BucketRequest = {
  timeZone: 'America/St_Johns',
  unit: 'hour',
  dates: { from: '2006-10-29', to: '2006-10-29' },
};

it('Buckets assigns each time to the bucket of its local time, or to a gap outside the range', () => {
  let gaps = 0;
  fc.assert(
    fc.property(requests, fc.array(fc.nat()), (request, parts) => {
      const { dates, timeZone } = request;
      const buckets = createBuckets(request);
      const within = parts.map((part) => buckets.from + (part % (buckets.to - buckets.from)));
      const begin = Temporal.Instant.fromEpochMilliseconds(buckets.from * 1000).toZonedDateTimeISO(timeZone);
      const jump = (begin.getTimeZoneTransition('next')?.epochMilliseconds ?? 0) / 1000;
      const jumps = [jump, ...buckets.gaps.flatMap(({ from, to }) => [from, to])];
      const edges = jumps.flatMap((seconds) => [seconds - 1, seconds]);
      const times = [buckets.from, buckets.to - 1, ...edges, ...within];
      for (const seconds of times.filter((time) => time >= buckets.from && time < buckets.to)) {
        const { date, label } = toLocal(seconds, request);
        const isOutside = date < dates.from || date > dates.to;
        expect(buckets.gaps.some(({ from, to }) => from <= seconds && seconds < to)).toBe(isOutside);
        if (isOutside) gaps++;
        else expect(buckets.labels[buckets.indexOf(seconds)]).toBe(label);
      }
      for (const seconds of [buckets.from - 1, buckets.to]) {
        const { date } = toLocal(seconds, request);
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
