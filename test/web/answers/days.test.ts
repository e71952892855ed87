import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseTimeTicks,
  formatBucketTitle,
  formatSpan,
  getBucketState,
  parseTime,
} from '../../../src/web/answers/days.ts';

const DAY = 86_400_000;
const JUNE = Date.parse('2025-06-01');

function listTimes(count: number, step: number): number[] {
  return Array.from({ length: count }, (_, at) => JUNE + at * step);
}

function listTexts(times: readonly number[], gap: number): string[] {
  return chooseTimeTicks(times, gap).map(({ text }) => text);
}

describe('ticks of time', () => {
  it('are where people expect them', () => {
    expect(listTexts(listTimes(30, DAY), 4)).toEqual(['1 Jun', '8 Jun', '15 Jun', '22 Jun', '29 Jun']);
    expect(listTexts(listTimes(24, DAY / 24), 5)).toEqual(['1 Jun', '06:00', '12:00', '18:00']);
    expect(listTexts(listTimes(72, DAY / 24), 13)).toEqual(['1 Jun', '2 Jun', '3 Jun']);
    expect(listTexts(listTimes(120, DAY), 20)).toEqual(['1 Jun', '1 Jul', '1 Aug', '1 Sep']);
    expect(listTexts(listTimes(5, 7 * DAY), 2)).toEqual(['1 Jun', '15 Jun', '29 Jun']);
    const months = Array.from({ length: 14 }, (_, at) => Date.UTC(2025, at));
    expect(listTexts(months, 3)).toEqual(['2025', 'Apr', 'Jul', 'Oct', '2026']);
  });

  it('never come closer than the gap', () => {
    const step = fc.constantFrom(DAY / 1440, DAY / 24, DAY, 3 * DAY, 7 * DAY);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), step, fc.integer({ min: 1, max: 40 }), (count, length, gap) => {
        const found = chooseTimeTicks(listTimes(count, length), gap).map(({ at }) => at);
        expect(found.length).toBeGreaterThan(0);
        for (const [index, at] of found.slice(1).entries())
          expect(at - (found[index] as number)).toBeGreaterThanOrEqual(gap);
      }),
    );
  });
});

it('dates are written as people write them', () => {
  const title = (label: string, bucket: Parameters<typeof formatBucketTitle>[1]) =>
    formatBucketTitle(label, bucket, '2025-06-30');
  expect(title('2025-06-19', { unit: 'day' })).toBe('Thu, 19 June');
  expect(title('2024-06-19', { unit: 'day' })).toBe('Wed, 19 June 2024');
  expect(title('2025-06-19 14:00:00', { unit: 'hour' })).toBe('Thu, 19 June, 14:00');
  expect(title('2025-06-02', { unit: 'week' })).toBe('2–8 Jun');
  expect(title('2025-06-30', { days: 3 })).toBe('30 Jun – 2 Jul');
  expect(title('2025-06-01', { unit: 'month' })).toBe('June 2025');
  expect(formatSpan(Date.parse('2025-05-01'), Date.parse('2025-05-31'))).toBe('May');
});

it('a bucket is over after its last day, and in the future until its first', () => {
  const state = (label: string, today: string) => getBucketState(parseTime(label), { unit: 'week' }, today);
  expect(state('2025-06-02', '2025-06-01')).toBe('future');
  expect(state('2025-06-02', '2025-06-02')).toBe('running');
  expect(state('2025-06-02', '2025-06-08')).toBe('running');
  expect(state('2025-06-02', '2025-06-09')).toBe('over');
  expect(getBucketState(parseTime('2025-06-01'), { unit: 'month' }, '2025-07-01')).toBe('over');
});
