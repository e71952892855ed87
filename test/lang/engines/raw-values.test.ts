import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { RAW_VALUES } from '../../arbitraries.ts';
import { ENGINES, outcome } from '../../engines.ts';

/** Expressions that read a property as each type, in the ways that engines specialize. */
const X = 'properties["x"]';
const EXPRESSIONS = [
  ...[X, `${X} == ${X}`, `${X} == properties["missing"]`, `defined(${X})`, `not ${X}`, `-${X}`, `${X} + 1`, `1 / ${X}`],
  ...[
    `${X} % 3`,
    `${X} * 0 == 0`,
    `${X} > 1`,
    `${X} >= -1e308`,
    `${X} < 1`,
    `${X} <= 1e308`,
    `${X} != 1`,
    `floor(${X})`,
  ],
  ...[`number(${X})`, `string(${X})`, `boolean(${X})`, `datetime(${X})`, `${X} in [0, 1]`, `"a" in ${X}`, `0 in ${X}`],
  ...[
    `${X} == 0`,
    `${X} in [0, 1, 2, 3, 4, 5, 6, 7]`,
    `${X} == 1 or ${X} > 5`,
    `not (${X} > 5)`,
    `${X} > properties["y"]`,
  ],
];

describe.each(Object.entries(ENGINES))('%s reads raw properties as the language defines', (_, engine) => {
  it.each(EXPRESSIONS)('%s', (source) => {
    for (const raw of RAW_VALUES) {
      const properties = { x: raw, y: 1 };
      for (const where of [false, true]) {
        const expected = outcome(ENGINES.interpret?.(source, parse(source), where) ?? expect.unreachable(), {
          properties,
        });
        expect(outcome(engine(source, parse(source), where), { properties }), inspect(raw)).toEqual(expected);
      }
    }
  });
});

it('the interpreter reads numbers that are not finite as undefined, and negative zero as zero', () => {
  const read = (x: unknown) => ENGINES.interpret?.(X, parse(X), false)({ properties: { x } });
  expect([Infinity, -Infinity, Number.NaN].map(read)).toEqual([undefined, undefined, undefined]);
  expect(Object.is(read(-0), 0)).toBe(true);
});

describe.each(Object.entries(ENGINES))('%s', (_, engine) => {
  it.each(['properties', 'user'] as const)('reads no inherited property of %s', (scope) => {
    for (const source of [
      `${scope}["x"] == 1`,
      `not ${scope}["x"] != 1`,
      `${scope}["x"] in [1, 2]`,
      `${scope}["x"] + 1 == 2`,
    ]) {
      const run = engine(source, parse(source), true);
      const select = (record: object) => run({ properties: {}, [scope]: record });
      expect([{ x: 1 }, Object.create({ x: 1 }), Object.assign(Object.create({ x: 1 }), { y: 1 })].map(select)).toEqual(
        [true, false, false],
      );
    }
  });
});

it.each(Object.entries(ENGINES))('%s orders strings with half of a surrogate pair by code point', (_, engine) => {
  const source = 'properties["x"] > properties["y"]';
  const run = engine(source, parse(source), true);
  const isGreater = (x: string, y: string) => run({ properties: { x, y } });
  const [whole, half] = ['\u{1f600}', '\ud83d\uffff'];
  expect([isGreater(whole, half), isGreater(half, whole)]).toEqual([true, false]);
});
