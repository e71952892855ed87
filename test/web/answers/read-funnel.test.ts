import { expect, it } from 'vitest';
import type { Answer } from '../../../src/web/answers/answer.ts';
import { getConversion, readConversions, readWholeFunnel } from '../../../src/web/answers/read-funnel.ts';

const createFunnel = (...counts: readonly number[]) => ({
  steps: counts.map((count, at) => ({ event: `step ${at}`, count, avg_time: at === 0 ? null : 60 })),
});

const DAYS = {
  meta: { dates: ['2025-06-01', '2025-06-02'] },
  data: { '2025-06-01': createFunnel(4, 1), '2025-06-02': createFunnel(0, 0) },
};

it('a whole funnel has one bucket: several do not add up', () => {
  const whole = { meta: { dates: ['2025-06-01'] }, data: { '2025-06-01': createFunnel(1667, 1426, 650) } };
  const funnel = readWholeFunnel(whole, false);
  expect(funnel?.steps.map(({ count }) => count)).toEqual([1667, 1426, 650]);
  expect(funnel && getConversion(funnel.steps)).toBe(650 / 1667);
  expect(readWholeFunnel(DAYS, false)).toBeUndefined();
});

it('segments come in the order of their users, without all users', () => {
  const data = { '2025-06-01': { $overall: createFunnel(9, 3), small: createFunnel(2, 1), large: createFunnel(7, 2) } };
  const funnel = readWholeFunnel({ meta: { dates: ['2025-06-01'] }, data }, true);
  expect(funnel?.steps.map(({ count }) => count)).toEqual([9, 3]);
  expect(funnel?.segments.map(([name]) => name)).toEqual(['large', 'small']);
});

it('conversion over time is unknown where nobody starts', () => {
  const answer: Answer = { view: 'funnel', path: 'funnels', parameters: new Map(), result: DAYS, today: '2025-06-30' };
  expect(readConversions(answer, []).lines).toEqual([{ name: 'all users', values: [0.25, null] }]);
});
