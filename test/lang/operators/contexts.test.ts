import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OPERATORS } from '../../../src/lang/operators/table.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { ENGINES, type Input, type Outcome, outcome } from '../../engines.ts';
import { expectSame } from '../../expect-same.ts';

// Engines evaluate an operand only as far as its context needs, for example to a number or to a truth value, and have a
// different way for each.

const [LEFT, RIGHT] = ['properties["left"]', 'properties["right"]'];

/** Every operator on properties, and expressions that engines optimize. */
const APPLIED: readonly string[] = [
  ...OPERATORS.flatMap((row) => {
    if (!('overloads' in row)) return [];
    return row.fixity === 'infix' ? `${LEFT} ${row.name} ${RIGHT}` : `${row.name}(${LEFT})`;
  }),
  LEFT,
  ...[`${LEFT} < 7`, `7 >= ${LEFT}`, `${LEFT} == 7`, `"a" != ${LEFT}`, `${LEFT} == 1 / 0`, `7 % ${LEFT}`],
  ...[
    `"a" in ${LEFT}`,
    `"7" in ${LEFT}`,
    `7 in ${LEFT}`,
    `${LEFT} in [7, "a"]`,
    `${LEFT} in [7, 3]`,
    `${LEFT} in [true]`,
  ],
  ...[`datetime("1970-01-01") <= ${LEFT}`, `${LEFT} == 1 / 0 or ${LEFT} == 7`, `${LEFT} != "a" and ${LEFT} != 7`],
  ...[`${LEFT} == 7 or user["left"] == 3`, `${LEFT} == 7 and ${LEFT} == "a"`, `${LEFT} + user["left"]`],
  `${LEFT} == 3 or ${LEFT} in [7, "a"]`,
  ...[`${LEFT} or ${RIGHT} or true`, `true or ${LEFT} and ${RIGHT}`, `${RIGHT} == 7 and ${LEFT} == 3 or ${LEFT} == 7`],
  `(${LEFT} and true) == (${RIGHT} and false)`,
];

const CONTEXTS: readonly ((applied: string) => string)[] = [
  (applied) => applied,
  (applied) => `${applied} - 0`,
  (applied) => `0 < ${applied}`,
  (applied) => `not ${applied}`,
  (applied) => `boolean(${applied})`,
  (applied) => `${applied} in [true, 7]`,
  (applied) => `${applied} != 1 / 0`,
  (applied) => `${applied} or ${RIGHT} == 7`,
];

/** Raw values of properties. The last ones read as undefined. */
const VALUES: readonly unknown[] = [
  ...[0, 7, 3, -2.5, 2 ** 31, -(2 ** 53), 1e308, 1735689600, '', 'a', '7', 'ya', '1970-01-01', true, false, null],
  ...[['a', 7], ['7'], [], undefined, Number.NaN, Infinity, -Infinity, {}, new Date(0), 7n],
];

const USER = { left: 3 };

/** Each value paired with itself and a few others, and some values that a record only inherits. */
const INPUTS: readonly Input[] = [
  ...VALUES.flatMap((left, index) =>
    [0, 1, 9].map((step) => ({
      properties: { left, right: VALUES[(index + step) % VALUES.length] },
      user: index % 3 === 0 ? undefined : USER,
    })),
  ),
  ...[7, 3, 'a', true, ['a', 7]].map((left) => ({
    properties: Object.assign(Object.create({ left }), { right: 7 }),
    user: Object.create(USER),
  })),
];

const interpreted = new Map<string, readonly Outcome[]>();

/** Returns the results of the interpreter for {@link INPUTS}, which all engines are compared with. */
function interpretInputs(source: string, where: boolean): readonly Outcome[] {
  const key = `${where} ${source}`;
  const known = interpreted.get(key);
  if (known !== undefined) return known;
  const results = runInputs('interpret', source, where);
  interpreted.set(key, results);
  return results;
}

function runInputs(engine: string, source: string, where: boolean): Outcome[] {
  const run = ENGINES[engine]?.(source, parse(source), where) ?? expect.unreachable();
  return INPUTS.map((input) => outcome(run, input));
}

describe.each(Object.keys(ENGINES).filter((engine) => engine !== 'interpret'))('%s', (engine) => {
  it.each(APPLIED)('evaluates %s like the interpreter in every context', (applied) => {
    for (const context of CONTEXTS) {
      const source = context(`(${applied})`);
      for (const where of [false, true]) {
        const expected = interpretInputs(source, where);
        for (const [index, result] of runInputs(engine, source, where).entries())
          expectSame(result, expected[index], () => `${source} ${inspect(INPUTS[index])}`);
      }
    }
  });
});
