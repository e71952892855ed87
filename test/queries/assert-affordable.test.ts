import { expect, it } from 'vitest';
import { assertAffordable } from '../../src/queries/answer-limits.ts';
import { CheckedExpressions } from '../../src/queries/checked-expressions.ts';
import { QueryError } from '../../src/queries/errors.ts';

const check = (source: string) => new CheckedExpressions('UTC').check(source, 'value');
const selector = (source: string) => ({ checked: check(source), kind: 'selector' as const });
const joinTerms = (count: number, term: (index: number) => string, operator: string) =>
  Array.from({ length: count }, (_, index) => term(index)).join(` ${operator} `);

const createScans = (count: number) => joinTerms(count, (index) => `number(properties["p${index}"]) > ${index}`, 'and');

it.each([
  ['the maximum number of scans', [createScans(512)]],
  ['the longest list', [`properties["id"] in [${joinTerms(8_000, String, ',')}]`]],
  ['2,000 comparisons with constants', [joinTerms(2_000, (index) => `properties["a"] == ${index}`, 'or')]],
  ['the deepest expression', [`${joinTerms(250, () => 'string(properties["p"])', '+')} == "x"`]],
])('assertAffordable accepts %s', (_, sources) => {
  expect(() => assertAffordable(sources.map(selector))).not.toThrow();
});

it('assertAffordable reports the cost of an expensive expression and the limit', () => {
  expect(() => assertAffordable([selector(createScans(513))])).toThrow(
    'The query has 513 operations that go through a string or a list, but at most 512 are allowed: ask for less at once.',
  );
  const reads = selector(joinTerms(1_001, () => 'properties["p"] == 1', 'or'));
  expect(() => assertAffordable([reads, reads, reads])).toThrow(
    'The query has 3,003 properties to read, but at most 3,000 are',
  );
});

it('assertAffordable limits the total cost and reports the costliest expression', () => {
  const expressions = [
    selector(createScans(100)),
    { checked: check(createScans(312)), kind: 'action' as const },
    selector(createScans(101)),
  ];
  const error = (() => {
    try {
      assertAffordable(expressions);
      return undefined;
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(QueryError);
  expect(error).toMatchObject({ kind: 'action' });
});
