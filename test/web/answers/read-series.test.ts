import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/web/answers/answer.ts';
import {
  findDays,
  findHeadline,
  findOpenBucket,
  formatPeriodBefore,
  readAnswerChart,
  readSeries,
} from '../../../src/web/answers/read-series.ts';

const DAYS = ['2025-06-01', '2025-06-02', '2025-06-03'];

/** A response with these values on these days. */
function respond(values: Readonly<Record<string, readonly number[]>>, days = DAYS): object {
  const byDay = (numbers: readonly number[]) =>
    Object.fromEntries(numbers.map((number, at) => [days[at] ?? '', number]));
  const found = Object.entries(values).map(([name, numbers]) => [name, byDay(numbers)]);
  return { data: { series: days, values: Object.fromEntries(found) } };
}

function answer(result: object, parameters: Readonly<Record<string, string>> = {}, more: Partial<Answer> = {}): Answer {
  const given = new Map(Object.entries({ event: 'buy', ...parameters }));
  return { view: 'lines', path: 'segmentation', parameters: given, result, today: '2025-07-01', ...more };
}

function headline(given: Answer) {
  return findHeadline(given, readSeries(given));
}

describe('the headline', () => {
  it('of events is their sum', () => {
    expect(headline(answer(respond({ a: [1, 2, 3], b: [4, 0, 0] }))).number).toBe(10);
  });

  it('of users is that of the whole range, and never a sum', () => {
    const whole = respond({ buy: [5] }, ['2025-06-01']);
    const result = respond({ buy: [3, 4, 2] });
    expect(headline(answer(result, { type: 'unique' }, { whole })).number).toBe(5);
    const numbers = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(numbers, numbers, fc.constantFrom('unique', 'average'), (one, other, type) => {
        expect(headline(answer(respond({ one, other }), { type })).number).toBeUndefined();
      }),
    );
  });

  it('of users of several groups is that of the largest, which has a name', () => {
    const whole = respond({ a: [5], b: [9] }, ['2025-06-01']);
    const given = answer(
      respond({ a: [5, 5, 5], b: [3, 3, 4] }),
      { type: 'unique', on: 'properties["plan"]' },
      { whole },
    );
    expect(headline(given)).toMatchObject({ number: 9, name: 'b' });
    const ungrouped = respond({ buy: [11] }, ['2025-06-01']);
    expect(headline({ ...given, ungrouped })).toEqual({ number: 11, before: undefined });
  });

  it('of a sum is the total, and of an average the mean of the days, unless the whole range is known', () => {
    const result = { results: { '2025-06-01': 10, '2025-06-02': 20 }, status: 'ok' };
    expect(headline(answer(result, {}, { path: 'segmentation/sum' })).number).toBe(30);
    const average = answer(result, {}, { path: 'segmentation/average' });
    expect(headline(average)).toMatchObject({ number: 15, meanOf: 2 });
    const whole = { results: { '2025-06-01': 12 }, status: 'ok' };
    expect(headline({ ...average, whole })).toEqual({ number: 12, before: undefined, name: undefined });
  });

  it('of a sum with a part that exceeds the largest number is not known', () => {
    const result = { results: { '2025-06-01': null, '2025-06-02': 20 }, status: 'ok' };
    expect(headline(answer(result, {}, { path: 'segmentation/sum' })).number).toBeUndefined();
  });
});

describe('the period before', () => {
  it('has a line for each name, also if one period lacks it', () => {
    const before = respond({ b: [7, 8, 9], c: [1, 1, 1] }, ['2025-05-29', '2025-05-30', '2025-05-31']);
    const { series, labelsBefore } = readSeries(answer(respond({ a: [1, 2, 3], b: [4, 5, 6] }), {}, { before }));
    expect(series.map(({ name, values, before }) => [name, values, before])).toEqual([
      ['a', [1, 2, 3], [0, 0, 0]],
      ['b', [4, 5, 6], [7, 8, 9]],
      ['c', [0, 0, 0], [1, 1, 1]],
    ]);
    expect(series.map(({ total, totalBefore }) => [total, totalBefore])).toEqual([
      [6, 0],
      [15, 24],
      [0, 3],
    ]);
    expect(labelsBefore).toEqual(['2025-05-29', '2025-05-30', '2025-05-31']);
  });

  it('of another length has as many numbers', () => {
    const { series } = readSeries(
      answer(respond({ a: [1, 2, 3] }), {}, { before: respond({ a: [4, 5] }, DAYS.slice(1)) }),
    );
    expect(series[0]?.before).toEqual([4, 5, null]);
  });

  it('is named by its days', () => {
    const dates = (from_date: string, to_date: string) =>
      formatPeriodBefore(new Map(Object.entries({ from_date, to_date })));
    expect(dates('2025-06-16', '2025-06-30')).toBe('1–15 Jun');
    expect(dates('2025-06-01', '2025-06-30')).toBe('2–31 May');
    expect(dates('2025-07-01', '2025-07-30')).toBe('June');
  });
});

it('the future has no numbers, and the bucket of today is open', () => {
  const given = answer(respond({ a: [1, 2, 0] }), {}, { today: '2025-06-02' });
  const data = readSeries(given);
  expect(data.series[0]?.values).toEqual([1, 2, null]);
  expect(findOpenBucket(data, given.today)).toBe(1);
});

it('a selection of buckets is a range of days, open at the end of the chart', () => {
  expect(findDays(DAYS, 0, 1)).toEqual(['2025-06-01', '2025-06-02']);
  expect(findDays(DAYS, 1, 2)).toEqual(['2025-06-02', undefined]);
  expect(findDays(['2025-06-01 00:00:00', '2025-06-01 01:00:00', '2025-06-01 02:00:00'], 0, 1)).toEqual([
    '2025-06-01',
    '2025-06-01',
  ]);
});

it('a file has the lines by size, each with its line before', () => {
  const before = respond({ a: [0, 0, 1] });
  const chart = readAnswerChart(answer(respond({ a: [1, 0, 0], b: [4, 5, 6] }), {}, { before }));
  expect(chart?.lines.map(({ name }) => name)).toEqual(['b', 'b, before', 'a', 'a, before']);
  expect(readAnswerChart(answer({}, {}, { view: 'people' }))).toBeUndefined();
});
