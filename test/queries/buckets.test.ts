import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { Buckets } from '../../src/queries/buckets.ts';
import { QueryError } from '../../src/queries/errors.ts';
import type { BucketUnit } from '../../src/queries/requests.ts';
import { openDuckdb } from '../lang/engines/sql/duckdb-database.ts';
import {
  anyBuckets,
  type BucketRequest,
  createBuckets,
  sampleTimes,
  toLocal,
} from '../service/analytics/any-buckets.ts';
import { expectSameInSql } from '../service/analytics/expect-same-in-sql.ts';

const UNITS: readonly BucketUnit[] = ['minute', 'hour', 'day', 'week', 'month'];

/** In St John's, the clocks went from 00:01 on 29 October 2006 back to 23:01 on the 28th. */
const CLOCKS_BACK = UNITS.map((unit): BucketRequest => {
  return { dates: { from: '2006-10-28', to: '2006-10-29' }, unit, timeZone: 'America/St_Johns' };
});

const seconds = (time: string) => Temporal.ZonedDateTime.from(time).epochMilliseconds / 1000;

describe('buckets', () => {
  it('are the days of a range', () => {
    const buckets = Buckets.units({ from: '2024-03-30', to: '2024-04-01' }, 'day', 'Europe/Berlin');
    expect(buckets.labels).toEqual(['2024-03-30', '2024-03-31', '2024-04-01']);
    expect(buckets.from).toBe(seconds('2024-03-30T00:00[Europe/Berlin]'));
    expect(buckets.to).toBe(seconds('2024-04-02T00:00[Europe/Berlin]'));
    expect(buckets.to - buckets.from).toBe(71 * 3600);
  });

  it('omit a skipped hour and contain a repeated hour once', () => {
    const spring = Buckets.units({ from: '2024-03-31', to: '2024-03-31' }, 'hour', 'Europe/Berlin');
    expect(spring.labels.slice(1, 3)).toEqual(['2024-03-31 01:00:00', '2024-03-31 03:00:00']);
    expect(spring.labels).toHaveLength(23);
    const autumn = Buckets.units({ from: '2024-10-27', to: '2024-10-27' }, 'hour', 'Europe/Berlin');
    expect(autumn.labels).toHaveLength(24);
    const [once, again] = [autumn.from + 2 * 3600, autumn.from + 3 * 3600];
    expect([autumn.indexOf(once), autumn.indexOf(again), autumn.to - autumn.from]).toEqual([2, 2, 25 * 3600]);
  });

  it('are cut at the ends of the range and keep their labels', () => {
    const weeks = Buckets.units({ from: '2024-05-01', to: '2024-05-08' }, 'week', 'UTC');
    expect(weeks.labels).toEqual(['2024-04-29', '2024-05-06']);
    expect([weeks.from, weeks.to]).toEqual([seconds('2024-05-01T00:00[UTC]'), seconds('2024-05-09T00:00[UTC]')]);
    const months = Buckets.units({ from: '2023-12-31', to: '2024-02-01' }, 'month', 'UTC');
    expect(months.labels).toEqual(['2023-12-01', '2024-01-01', '2024-02-01']);
  });

  it('have the given number of days; the last may have fewer', () => {
    const buckets = Buckets.days({ from: '2024-05-01', to: '2024-05-08' }, 3, 'UTC');
    expect(buckets.labels).toEqual(['2024-05-01', '2024-05-04', '2024-05-07']);
    expect(buckets.to).toBe(seconds('2024-05-09T00:00[UTC]'));
  });

  it('include the day that Samoa skipped, but none of its hours', () => {
    const around = { from: '2011-12-29', to: '2011-12-31' };
    const days = Buckets.units(around, 'day', 'Pacific/Apia');
    expect(days.labels).toEqual(['2011-12-29', '2011-12-30', '2011-12-31']);
    expect([days.indexOf(days.from), days.indexOf(days.from + 86400), days.to - days.from]).toEqual([0, 2, 2 * 86400]);
    expect(Buckets.units(around, 'hour', 'Pacific/Apia').labels).toHaveLength(48);
    const lost = { from: '2011-12-30', to: '2011-12-30' };
    expect(Buckets.units(lost, 'day', 'Pacific/Apia').labels).toEqual(['2011-12-30']);
    expect(Buckets.units(lost, 'hour', 'Pacific/Apia').labels).toEqual([]);
    const { from, to } = Buckets.units(lost, 'day', 'Pacific/Apia');
    expect([from, to]).toEqual([days.from + 86400, days.from + 86400]);
  });

  it('continue beyond the range', () => {
    const threes = Buckets.days({ from: '2024-05-01', to: '2024-05-04' }, 3, 'UTC').continued(1);
    expect(threes.labels).toEqual(['2024-05-01', '2024-05-04', '2024-05-07']);
    expect(threes.to).toBe(seconds('2024-05-10T00:00[UTC]'));
    const months = Buckets.units({ from: '2024-01-31', to: '2024-01-31' }, 'month', 'UTC').continued(2);
    expect(months.labels).toEqual(['2024-01-01', '2024-02-01', '2024-03-01']);
    expect(months.to).toBe(seconds('2024-04-01T00:00[UTC]'));
  });

  it('are refused if there are too many', () => {
    const ask = () => Buckets.units({ from: '2024-01-01', to: '2024-12-31' }, 'minute', 'UTC');
    expect(ask).toThrow(QueryError);
    expect(ask).toThrow(/527,040 .* too many/);
    expect(() => Buckets.latest(100_001, 'week', 'UTC', 0)).toThrow(/100,001 .* too many/);
    // In months, these exceed the dates of JavaScript.
    expect(() => Buckets.latest(2 ** 31, 'month', 'UTC', 0)).toThrow(/2,147,483,648 .* too many/);
  });

  it('are refused before the year 1, which labels cannot express', () => {
    const first = { from: '0001-01-01', to: '0001-01-01' };
    // It is a Monday.
    for (const unit of ['day', 'week', 'month'] as const)
      expect(Buckets.units(first, unit, 'UTC').labels).toEqual(['0001-01-01']);
    expect(() => Buckets.units({ from: '0000-12-31', to: '0001-01-01' }, 'day', 'UTC')).toThrow(QueryError);
    expect(Buckets.latest(1969 * 12 + 1, 'month', 'UTC', 0).labels[0]).toBe('0001-01-01');
    expect(() => Buckets.latest(1969 * 12 + 2, 'month', 'UTC', 0)).toThrow(/before the year 1/);
    expect(Buckets.units({ from: '9999-12-31', to: '9999-12-31' }, 'month', 'UTC').continued(1).to).toBeGreaterThan(0);
  });

  it('are whole units up to the current one', () => {
    const range = fc.record({
      now: fc.integer({ min: 200_000_000, max: 2 ** 32 }),
      count: fc.integer({ min: 1, max: 40 }),
      unit: fc.constantFrom(...UNITS),
      timeZone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Apia'),
    });
    fc.assert(
      fc.property(range, ({ now, count, unit, timeZone }) => {
        const buckets = Buckets.latest(count, unit, timeZone, now);
        const [first = '', last = ''] = [buckets.labels[0], buckets.labels.at(-1)];
        const labelOf = (time: number) => toLocal(time, { dates: { from: first, to: last }, unit, timeZone }).label;
        expect(buckets.labels).toHaveLength(count);
        expect(last).toBe(labelOf(now));
        expect(buckets.from <= now && now < buckets.to).toBe(true);
        expect(labelOf(buckets.from - 1) < first).toBe(true);
        expect(labelOf(buckets.to) > last).toBe(true);
      }),
    );
  });

  it('agree with the calendar in every time zone', () => {
    fc.assert(
      fc.property(anyBuckets, fc.integer(), (sample, seed) => {
        const { buckets, dates } = sample;
        const isOutside = ({ date }: { readonly date: string }) => date < dates.from || date > dates.to;
        expect(buckets.labels).toEqual([...new Set(buckets.labels)].sort());
        for (const time of sampleTimes(sample, seed)) {
          const local = toLocal(time, sample);
          // When clocks go back across midnight, they show hours of a day again.
          if (!isOutside(local)) expect(buckets.labels[buckets.indexOf(time)]).toBe(local.label);
        }
        for (const time of [buckets.from - 1, buckets.to]) expect(isOutside(toLocal(time, sample))).toBe(true);
      }),
      {
        numRuns: 150,
        examples: CLOCKS_BACK.map((request) => [{ ...request, buckets: createBuckets(request) }, 1]),
      },
    );
  });

  it('have the same numbers in DuckDB', async () => {
    const database = await openDuckdb();
    try {
      await expectSameInSql(database);
    } finally {
      await database.close();
    }
  });
});
