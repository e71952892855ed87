import { expect, it } from 'vitest';
import { addCondition } from '../../../src/web/shared/add-condition.ts';

it.each([
  ['', 'defined(properties["a"])'],
  ['true', 'true and defined(properties["a"])'],
  ['true and false', 'true and false and defined(properties["a"])'],
  ['true or false', '(true or false) and defined(properties["a"])'],
  ['not (true and false)', 'not (true and false) and defined(properties["a"])'],
  ['1 +', undefined],
])('adds a condition to a filter: %s', (filter, expected) => {
  const condition = { kind: 'condition', scope: 'properties', property: 'a', operator: 'defined' } as const;
  expect(addCondition(filter, condition)).toBe(expected);
});
