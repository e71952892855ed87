import { describe, expect, it } from 'vitest';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { ENGINES, outcome } from '../../engines.ts';
import { expectSame } from '../../expect-same.ts';

/** Operands: booleans, a missing property that counts as false, and a number, which is a type error. */
const OPERANDS = [true, false, undefined, 1] as const;

/** Returns all lists of operands of a length. */
function listChains(length: number): (readonly (boolean | number | undefined)[])[] {
  if (length === 0) return [[]];
  return listChains(length - 1).flatMap((chain) => OPERANDS.map((operand) => [...chain, operand]));
}

describe.each(Object.entries(ENGINES))('chains in %s', (_, engine) => {
  it.each(['and', 'or'] as const)('of `%s` judge every operand, whatever the others are', (operator) => {
    for (const length of [2, 3, 4, 5]) {
      const reads = Array.from({ length }, (_operand, index) => `properties["p${index}"]`);
      const source = reads.join(` ${operator} `);
      const [condition, value] = [true, false].map((where) => engine(source, parse(source), where));
      for (const chain of listChains(length)) {
        const properties = Object.fromEntries(chain.map((operand, index) => [`p${index}`, operand]));
        const got = [condition, value].map((run) => outcome(run ?? expect.unreachable(), { properties }));
        const wrong = chain.indexOf(1);
        const isTrue = operator === 'and' ? chain.every((one) => one === true) : chain.includes(true);
        const start = source.indexOf(`${reads[wrong]}`);
        const span = { start, end: start + `${reads[wrong]}`.length };
        const expected = wrong === -1 ? { value: isTrue } : { operator, found: 'number', span };
        expectSame(got, [expected, expected], () => JSON.stringify(chain));
      }
    }
  });

  it.each(['and', 'or'] as const)('of `%s` without type errors find the operand that decides', (operator) => {
    for (const length of [2, 3, 4, 5]) {
      const tests = Array.from({ length }, (_operand, index) => `properties["p${index}"] > 0`);
      const source = tests.join(` ${operator} `);
      const run = engine(source, parse(source), true);
      for (const [at, decides] of tests.flatMap((_test, index) => [[index, true] as const, [index, false] as const])) {
        const others = operator === 'and' ? 1 : 0;
        const values = tests.map((_test, index) => (index === at && decides ? 1 - others : others));
        const properties = Object.fromEntries(values.map((value, index) => [`p${index}`, value]));
        expect(run({ properties }), values.join()).toBe((operator === 'and') !== decides);
      }
    }
  });
});
