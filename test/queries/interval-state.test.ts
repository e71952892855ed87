import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Buckets } from '../../src/queries/buckets.ts';
import { getIntervalState } from '../../src/queries/interval-state.ts';
import type { Bucket } from '../../src/queries/requests.ts';

const DAY_MS = 86_400_000;

const bucket: fc.Arbitrary<Bucket> = fc.oneof(
  fc.record({ days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ unit: fc.constantFrom('day' as const, 'week' as const, 'month' as const) }),
);

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

it('an interval is in the future until its bucket begins, and over when the next one does', () => {
  const nearby = fc.record({
    of: fc.constantFrom('begin' as const, 'end' as const),
    days: fc.integer({ min: -2, max: 2 }),
  });
  fc.assert(
    fc.property(
      fc.nat(400),
      nearby,
      bucket,
      fc.nat(12),
      fc.nat(12),
      (days, { of, ...near }, size, cohort, interval) => {
        const from = addDays('2024-01-01', days);
        const { labels } = Buckets.by({ from, to: from }, size, 'UTC').continued(cohort + interval + 1);
        const [begin = '', end = ''] = labels.slice(cohort + interval);
        const today = addDays(of === 'begin' ? begin : end, near.days);
        const beforeEnd = begin <= today ? 'running' : 'future';
        expect(getIntervalState(labels[cohort] ?? '', size, interval, today)).toBe(end <= today ? 'over' : beforeEnd);
      },
    ),
  );
});
