import { expect, it } from 'vitest';
import { assertAffordable } from '../../../src/service/analytics/answer-limits.ts';
import { QueryError } from '../../../src/service/analytics/errors.ts';

const selector = (source: string) => ({ source, kind: 'selector' as const });
const many = (count: number, term: (index: number) => string, operator: string) =>
  Array.from({ length: count }, (_, index) => term(index)).join(` ${operator} `);

const SCANS = (count: number) => many(count, (index) => `number(properties["p${index}"]) > ${index}`, 'and');

it.each([
  ['as many scans as there may be', [SCANS(512)]],
  ['a list of all the language takes', [`properties["id"] in [${many(8_000, String, ',')}]`]],
  ['2,000 comparisons with constants', [many(2_000, (index) => `properties["a"] == ${index}`, 'or')]],
  ['the deepest expression', [`${many(250, () => 'string(properties["p"])', '+')} == "x"`]],
])('takes %s', (_, sources) => {
  expect(() => assertAffordable(sources.map(selector))).not.toThrow();
});

it('assertAffordable refuses an expensive expression with its cost and the limit', () => {
  expect(() => assertAffordable([selector(SCANS(513))])).toThrow(
    'The query has 513 operations that go through a string or a list, but at most 512 are allowed: ask for less at once.',
  );
  const reads = selector(many(1_001, () => 'properties["p"] == 1', 'or'));
  expect(() => assertAffordable([reads, reads, reads])).toThrow(
    'The query has 3,003 properties to read, but at most 3,000 are',
  );
});

it('assertAffordable refuses expensive expressions in total and names the costliest', () => {
  const expressions = [selector(SCANS(100)), { source: SCANS(312), kind: 'action' as const }, selector(SCANS(101))];
  const refused = (() => {
    try {
      assertAffordable(expressions);
      return undefined;
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(QueryError);
  expect(refused).toMatchObject({ kind: 'action' });
});
