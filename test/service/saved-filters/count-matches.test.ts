import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import { FilterSet } from '../../../src/api/filter-set.ts';
import { countMatches, type ImportMatches } from '../../../src/service/saved-filters/count-matches.ts';
import { writeNotices } from '../../../src/service/saved-filters/write-notices.ts';
import { runs, splitRuns } from '../../runs.ts';

const FILTERS = [
  'properties["plan"] == "pro"',
  'not (properties["plan"] == "pro")',
  'properties["amount"] > 10 and properties["plan"] != "free"',
  'properties["flag"]',
  'properties["flag"] or properties["amount"] > 10',
  '"r" in properties["plan"]',
  'not defined(properties["amount"])',
] as const;

const filters = fc.array(
  fc.record({ event: fc.constantFrom(undefined, 'view', 'purchase'), where: fc.constantFrom(...FILTERS) }),
  { maxLength: 8 },
);
const properties = fc.record(
  {
    plan: fc.constantFrom('pro', 'free', 3, null),
    amount: fc.constantFrom(5, 10, 11, '12'),
    flag: fc.constantFrom(true, false, 'yes', 1),
  },
  { requiredKeys: [] },
);
const events = fc.array(
  fc.record({
    event: fc.constantFrom('view', 'purchase'),
    distinct_id: fc.constantFrom('a', 'b', 'c'),
    properties,
  }),
  { maxLength: 12 },
);

const SOURCE = { project: 'shop', datasetId: 'orders', versionId: 'v1', time: '2026-01-01T00:00:00.000Z' };

it('counts for each saved filter what its filter selects, by itself, of the events with its name', () => {
  let failed = 0;
  const property = fc.property(filters, events, (drawn, sent) => {
    const named = drawn.map(({ event, where }, index) => ({ name: `s${index}`, where, ...(event && { event }) }));
    const set = new FilterSet();
    for (const { name, where } of named) set.add(name, where);
    const matches = countAll(
      set,
      named,
      sent.map((event) => JSON.stringify(event)),
    );
    const expected = named.map(({ name, event, where }) => {
      const filter = compileWhere(where);
      const [people, counts] = [new Set<string>(), { events: 0, failures: 0 }];
      for (const one of sent.filter((record) => event === undefined || record.event === event)) {
        try {
          if (!filter(one.properties)) continue;
          counts.events++;
          people.add(one.distinct_id);
        } catch {
          counts.failures++;
        }
      }
      failed += counts.failures;
      return { name, ...counts, people: [...people] };
    });
    expect(matches).toEqual(expected);
    const told = [...writeNotices(SOURCE, matches)].flatMap((notice) => JSON.parse(notice).data.segments);
    expect(told).toEqual(
      expected
        .filter(({ events }) => events > 0)
        .map(({ name, events, people }) => ({ name, events, people: people.length, distinct_ids: people })),
    );
  });
  const { seeded, fresh } = splitRuns(runs(500));
  fc.assert(property, seeded);
  expect(failed).toBeGreaterThan(0);
  fc.assert(property, fresh);
});

/** Counts the matches, which must not be too much work. */
function countAll(...parameters: Parameters<typeof countMatches>): readonly ImportMatches[] {
  const matches = countMatches(...parameters);
  if (matches === undefined) throw new Error('too many steps');
  return matches;
}

const PRODUCTS = Array.from({ length: 100 }, (_, index) => `properties["a"] * ${index} == #`).join(' or ');

it.each([
  ['characters of a string', '"no#" in properties["a"]', 'x'.repeat(10_000), 700, 1],
  ['items of a list', '"no#" in properties["a"]', Array.from({ length: 1_000 }, () => 1), 200, 1],
  ['items of a list that is only read', 'properties["a"] != #', Array.from({ length: 1_000 }, () => 1), 400, 1],
  ['operations', PRODUCTS, 0, 10, 200],
  ['matches of equal filters', 'true', 1, 100, 900],
  ['type errors of equal filters', 'properties["a"]', 1, 100, 900],
])('bounds the steps by the number of %s', (_, where, value, count, most) => {
  const toFilter = (index: number) => where.replaceAll('#', String(1000 + index));
  const filters = Array.from({ length: count }, (_, index) => ({ name: `s${index}`, where: toFilter(index) }));
  const set = new FilterSet();
  for (const filter of filters) set.add(filter.name, filter.where);
  const line = JSON.stringify({ event: 'view', distinct_id: 'a', properties: { a: value } });
  const matchAll = (events: number) => countMatches(set, filters, Array<string>(events).fill(line), 1_000_000);
  expect(matchAll(most)).toHaveLength(count);
  expect(matchAll(2 * most)).toBeUndefined();
});

it('splits long notices between saved filters', () => {
  const people = Array.from({ length: 200 }, (_, index) => `person with a long name ${index}`.padEnd(1_000, '.'));
  const matches = ['a', 'b', 'c', 'd'].map((name) => ({ name, events: 1_000, people, failures: 0 }));
  const notices = [...writeNotices(SOURCE, matches)].map((notice) => JSON.parse(notice));
  expect(notices.map(({ data }) => data.segments.map(({ name }: { name: string }) => name))).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(notices[1]).toMatchObject({
    type: 'segments.matched',
    timestamp: SOURCE.time,
    data: { project: 'shop', dataset_id: 'orders', dataset_version: 'v1' },
  });
});
