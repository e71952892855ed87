import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAlways, type RelateOptions, relate } from '../src/api/relate.ts';
import { drawValueFirstPair, drawValuePair, judgeValues, VALUE_USES } from './relation-law.ts';
import { runs, splitRuns } from './runs.ts';

const PAIRS = runs(400, 100);

describe.each(VALUE_USES)(`the relations of the values of ${PAIRS} pairs, by the use %s,`, (use) => {
  it.each([
    ['drawn around few constants', drawValuePair, 0.75],
    ['drawn around values', drawValueFirstPair, 0.4],
  ] as const)(
    '%s, hold for all records, and their witnesses show them',
    (_, draw, share) => {
      const seen = new Map<string, number>();
      const law = fc.property(fc.noShrink(fc.noBias(fc.nat())), (seed) => {
        const judged = judgeValues(draw(seed), use);
        expect(judged?.mistake).toBeUndefined();
        if (judged !== undefined) seen.set(judged.relation, (seen.get(judged.relation) ?? 0) + 1);
      });
      const { seeded, fresh } = splitRuns(PAIRS);
      fc.assert(law, seeded);
      if (process.env.ONWHERE_RUNS !== undefined) console.log(use, seen);
      const [all, unknown] = [[...seen.values()].reduce((sum, count) => sum + count, 0), seen.get('unknown') ?? 0];
      expect(1 - unknown / all).toBeGreaterThan(share);
      expect([...seen.keys()]).toEqual(expect.arrayContaining(['equal', 'overlap']));
      fc.assert(law, fresh);
    },
    6 * 3_600_000,
  );
});

const NUMBERS: RelateOptions = { schema: { properties: { a: { types: ['number'] } } } };
const [A, B] = ['properties["a"]', 'properties["b"]'];

describe('the relation of', () => {
  it.each([
    [A, 'event["a"]', 'value', 'equal'],
    [A, B, 'value', 'overlap'],
    ['1', '"1"', 'value', 'disjoint'],
    ['1', '"1"', 'on', 'equal'],
    ['true', '"true"', 'on', 'equal'],
    ['1 / 0', '"undefined"', 'on', 'equal'],
    ['1 / 0', 'false', 'on', 'disjoint'],
    ['1 / 0', 'not 1', 'value', 'equal'],
    [A, `string(${A})`, 'on', 'overlap'],
    [A, `string(${A})`, 'value', 'overlap'],
    [`${A} > 1`, `not ${A} <= 1`, 'on', 'overlap'],
    [`${A} == 1`, `not ${A} != 1`, 'on', 'equal'],
    [`${A} == 1 or ${B} == 2`, `not (${A} != 1 and ${B} != 2)`, 'on', 'equal'],
    [`${A} == 1`, `not ${A} == 1`, 'on', 'disjoint'],
    [`${A} == 1`, '"x"', 'on', 'disjoint'],
    [`number(${A})`, '"x"', 'on', 'disjoint'],
    [`number(${A})`, '"12"', 'on', 'overlap'],
    [`string(${A} * ${B})`, '"x"', 'value', 'disjoint'],
    [`(${A} and true)`, `${A} == true`, 'on', 'implies'],
    [`${A} == true`, `(${A} and true)`, 'value', 'implies'],
    [A, `number(${A})`, 'number', 'overlap'],
    [`-${A}`, `0 - ${A}`, 'number', 'unknown'],
    [`floor(${A})`, `ceil(${A})`, 'number', 'overlap'],
    [`${A} * 2`, `2 * ${A}`, 'number', 'equal'],
    [`datetime(${A})`, `number("x")`, 'value', 'overlap'],
  ] as const)('%s to %s, by the use %s: is %s', (left, right, use, relation) => {
    const judged = judgeValues({ left, right, records: [] }, use);
    expect(judged?.mistake).toBeUndefined();
    expect(relate(left, right, { use }).relation).toBe(relation);
    expect(relate(right, left, { use }).relation).toBe(relation);
  });

  it('lists is by their segments, whatever the order and the number of the elements', () => {
    const { both, different } = relate(A, '"x"', { use: 'on' });
    expect(both).toEqual({ properties: { a: 'x' } });
    expect(different).toEqual({ properties: {} });
    expect(relate(A, `string(${A})`, { use: 'on' }).different).toEqual({ properties: { a: [] } });
  });

  it('values under a schema is that of the records that it allows', () => {
    expect(relate(`floor(${A})`, A, { use: 'number', ...NUMBERS }).relation).toBe('overlap');
    const whole = { schema: { properties: { a: { types: ['number' as const], values: [1, 2] } } } };
    expect(relate(`floor(${A})`, A, { use: 'number', ...whole }).relation).toBe('equal');
    expect(relate(A, '"x"', { use: 'on', ...NUMBERS }).relation).toBe('disjoint');
    expect(relate(A, '"12"', { use: 'on', ...NUMBERS }).relation).toBe('overlap');
  });

  it('values is that of filters by default', () => {
    expect(relate(`${A} > 1`, `not ${A} <= 1`, { use: 'where' })).toEqual(relate(`${A} > 1`, `not ${A} <= 1`));
    expect(() => relate('"a"', A)).toThrow('A filter must be true or false');
    expect(() => isAlways(A, { use: 'on' } as object)).toThrow(TypeError);
    expect(() => relate(A, A, { use: 'filter' } as object)).toThrow(TypeError);
  });
});
