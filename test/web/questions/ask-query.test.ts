import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moveToPeriodBefore } from '../../../src/web/questions/ask-query.ts';

const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const formatDay = (date: Date) => date.toISOString().slice(0, 10);

it('moves dates to as many days that end where they begin', () => {
  fc.assert(
    fc.property(days, fc.nat({ max: 1_000 }), (first, length) => {
      const [from, to] = [formatDay(first), formatDay(new Date(first.getTime() + length * 86_400_000))];
      const moved = new Map(
        moveToPeriodBefore([
          ['event', 'a'],
          ['from_date', from],
          ['to_date', to],
        ]),
      );
      const lengthOf = (one = '', other = '') => (Date.parse(other) - Date.parse(one)) / 86_400_000;
      expect(moved.get('event')).toBe('a');
      expect(lengthOf(moved.get('from_date'), moved.get('to_date'))).toBe(lengthOf(from, to));
      expect(lengthOf(moved.get('to_date'), from)).toBe(1);
    }),
  );
});

it('moves no dates that are missing or reversed', () => {
  expect(moveToPeriodBefore([['interval', '7']])).toBe(undefined);
  expect(
    moveToPeriodBefore([
      ['from_date', '2025-06-02'],
      ['to_date', '2025-06-01'],
    ]),
  ).toBe(undefined);
});
