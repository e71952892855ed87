import { expect, it } from 'vitest';
import { writeNotices } from '../../../src/service/saved-filters/write-notices.ts';

const SOURCE = { project: 'shop', datasetId: 'orders', versionId: 'v1', time: '2025-06-01T00:00:00.000Z' };

const people = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);

it('has at most 1,000 users in a notice, and says when it leaves out others', () => {
  const matches = [600, 400, 1, 1_200].map((count) => ({
    name: `s${count}`,
    events: count,
    people: people(count),
    failures: 0,
  }));
  const notices = [...writeNotices(SOURCE, matches)].map((notice) => JSON.parse(notice).data.segments);
  expect(notices.map((filters) => filters.map(({ name }: { name: string }) => name))).toEqual([
    ['s600', 's400'],
    ['s1'],
    ['s1200'],
  ]);
  expect(notices[2][0]).toMatchObject({ people: 1_200, distinct_ids_truncated: true });
  expect(notices[2][0].distinct_ids).toHaveLength(1_000);
  expect(notices[0][0]).not.toHaveProperty('distinct_ids_truncated');
});
