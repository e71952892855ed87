import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_NUMBERS } from '../../src/queries/answer-limits.ts';
import { Buckets } from '../../src/queries/buckets.ts';
import { chooseIntervalCount } from '../../src/queries/endpoints/choose-interval-count.ts';
import { getIntervalState } from '../../src/queries/interval-state.ts';
import { runs } from '../runs.ts';

const DATES = { from_date: '2025-06-01', to_date: '2025-06-30' };

it.each([
  [DATES, 29],
  [{ ...DATES, unit: 'week' }, 5],
  [{ ...DATES, interval: '7', unit: 'month' }, 4],
  [{ ...DATES, unit: 'month' }, 1],
  [{ ...DATES, to_date: '2026-06-30' }, 90],
] as const)('of %j is %i', (parameters, count) => {
  expect(chooseIntervalCount(parameters)).toBe(count);
});

const day = fc.integer({ min: 0, max: 60 }).map((days) => new Date(1_748_736_000_000 + days * 86_400_000));

it('follows the first cohort up to the last date, and no further', () => {
  const units = fc.constantFrom({ unit: 'day' }, { unit: 'week' }, { unit: 'month' }, { interval: '3' });
  fc.assert(
    fc.property(day, day, units, (one, other, size) => {
      const [from = '', to = ''] = [one, other].map((date) => date.toISOString().slice(0, 10)).sort();
      const bucket = 'interval' in size ? { days: Number(size.interval) } : { unit: size.unit as 'day' };
      const [cohort = '', ...later] = Buckets.by({ from, to }, bucket, 'UTC').labels;
      const count = chooseIntervalCount({ from_date: from, to_date: to, ...size }) as number;
      if (later.length > 0) expect(getIntervalState(cohort, bucket, count, to)).toBe('running');
      expect(getIntervalState(cohort, bucket, count + 1, to)).toBe('future');
    }),
  );
});

it('never asks for more numbers than an answer has, if fewer intervals would do', () => {
  const years = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(years, fc.integer({ min: 1, max: 10_000 }), fc.boolean(), (length, limit, isSegmented) => {
      const dates = { from_date: '1900-01-01', to_date: `${1899 + length}-12-31` };
      const segments = isSegmented ? { on: '1', limit: String(limit) } : {};
      const count = chooseIntervalCount({ ...dates, ...segments }) as number;
      const cohorts = (Date.parse(dates.to_date) - Date.parse(dates.from_date)) / 86_400_000 + 1;
      const numbers = cohorts * (count + 2) * (isSegmented ? limit : 1);
      expect(numbers <= MAX_NUMBERS || count === 1).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});

it.each([
  {},
  { from_date: '2025-06-01' },
  { ...DATES, to_date: '2025-05-01' },
  { ...DATES, unit: 'hour' },
  { ...DATES, to_date: '9999-01-01' },
])('leaves the error of %j to the query', (parameters) => {
  expect(chooseIntervalCount(parameters)).toBeUndefined();
});
