import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/web/answers/answer.ts';
import { countColumns, findShare, readFrequency, readRetention } from '../../../src/web/answers/read-cohorts.ts';

function answer(result: object, parameters: Readonly<Record<string, string>>, today: string): Answer {
  return { view: 'retention', path: 'retention', parameters: new Map(Object.entries(parameters)), result, today };
}

describe('retention', () => {
  const result = {
    '2025-06-09': { first: 100, counts: [100, 9, 0] },
    '2025-06-02': { first: 300, counts: [300, 90, 27] },
  };

  it('leaves the future blank and marks the interval of today', () => {
    const [cohorts] = readRetention(answer(result, { unit: 'week' }, '2025-06-18'));
    expect(cohorts?.rows.map(({ date, cells }) => [date, ...cells.map(({ state }) => state)])).toEqual([
      ['2025-06-02', 'over', 'over', 'running'],
      ['2025-06-09', 'over', 'running', 'future'],
    ]);
  });

  it('has a headline of cohorts whose interval is over', () => {
    const share = (today: string) => {
      const [cohorts] = readRetention(answer(result, { unit: 'week' }, today));
      return cohorts && findShare(cohorts, 1);
    };
    expect(share('2025-06-18')).toBe(90 / 300);
    expect(share('2025-06-23')).toBe(99 / 400);
    expect(share('2025-06-12')).toBeUndefined();
  });

  it('counts months by the calendar, and days by the interval', () => {
    const states = (parameters: Readonly<Record<string, string>>, today: string) => {
      const found = { '2025-01-01': { first: 1, counts: [1, 1, 1] } };
      return readRetention(answer(found, parameters, today))[0]?.rows[0]?.cells.map(({ state }) => state);
    };
    expect(states({ unit: 'month' }, '2025-02-28')).toEqual(['over', 'running', 'future']);
    expect(states({ interval: '3' }, '2025-01-07')).toEqual(['over', 'over', 'running']);
  });

  it('has the cohorts of each segment, largest first', () => {
    const bySegment = { '2025-06-02': { free: { first: 3, counts: [1] }, pro: { first: 5, counts: [2] } } };
    const cohorts = readRetention(answer(bySegment, { on: 'properties["plan"]', unit: 'week' }, '2025-07-01'));
    expect(cohorts.map(({ segment }) => segment)).toEqual(['pro', 'free']);
  });
});

it('frequency has as many columns as anybody reaches', () => {
  const result = { '2025-06-01': [5, 2, 0, 0], '2025-06-02': [4, 3, 1, 0] };
  const cohorts = readFrequency(answer(result, { unit: 'day' }, '2025-06-02'));
  expect(countColumns(cohorts)).toBe(3);
  expect(cohorts[0]?.rows[1]?.cells[0]?.state).toBe('running');
  expect(countColumns(readFrequency(answer({ '2025-06-01': [0, 0] }, {}, '2025-06-02')))).toBe(1);
});
