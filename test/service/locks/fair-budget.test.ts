import { expect, it } from 'vitest';
import { FairBudget } from '../../../src/service/locks/fair-budget.ts';

it('FairBudget gives one holder at most half, and two a third each', () => {
  const budget = new FairBudget(300);
  expect([budget.take('a', 151), budget.take('a', 100), budget.take('a', 51), budget.take('a', 50)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect([budget.take('b', 76), budget.take('b', 75)]).toEqual([false, true]);
  expect(budget.used).toBe(225);
  // Less is free than the first holder has.
  expect(budget.take('a', 1)).toBe(false);
  budget.giveBack('a', 150);
  expect(budget.take('b', 37)).toBe(true);
  expect(budget.take('c', 94)).toBe(true);
  expect(budget.used).toBe(206);
});
