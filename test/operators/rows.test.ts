import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, evaluate } from '../../src/api.ts';
import { BINARY, OPERATORS } from '../../src/operators/table.ts';
import { anyValue } from '../arbitraries.ts';

const MISSING = 'undefined';

describe.each(OPERATORS.map((row) => [`${row.fixity} ${row.name}`, row] as const))('%s', (_, row) => {
  it('says what it does', () => {
    expect(row.summary).toMatch(/^\S.*\.$/s);
    expect(row.examples.length).toBeGreaterThan(0);
  });

  it.each(row.examples)('%s is %s', (source, written) => {
    const expected = written === MISSING ? undefined : JSON.parse(written);
    expect(evaluate(source, {})).toStrictEqual(expected);
    expect(compile(source)({})).toStrictEqual(expected);
  });

  it.each(row.examples)('%s shows it', (source) => {
    expect(source).toContain(row.name);
  });
});

describe('overloads', () => {
  it('have ids of their own', () => {
    const ids = OPERATORS.flatMap((row) => ('overloads' in row ? row.overloads.map(({ id }) => id) : []));
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('take as many operands as their operator stands between', () => {
    for (const row of OPERATORS) {
      if (!('overloads' in row)) continue;
      const counts = row.overloads.map(({ operands }) => operands.length);
      expect(new Set(counts), row.name).toEqual(new Set([row.fixity === 'infix' ? 2 : 1]));
    }
  });
});

describe.each([
  ['==', '!='],
  ['<', '>='],
  ['>', '<='],
] as const)('%s and %s', (operator, negator) => {
  const [one, other] = [operator, negator].map((name) => compile(`properties["a"] ${name} properties["b"]`));

  it('are opposites where they have an answer, and have one together', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        const [answer, opposite] = [one?.({ a, b }), other?.({ a, b })];
        expect(opposite).toBe(answer === undefined ? undefined : !answer);
      }),
    );
  });

  it('have the same operand types', () => {
    const operands = (name: typeof operator | typeof negator) =>
      BINARY[name].overloads.map((overload) => overload.operands);
    expect(operands(operator)).toEqual(operands(negator));
  });
});

describe.each([
  ['<', '>'],
  ['<=', '>='],
  ['==', '=='],
  ['!=', '!='],
] as const)('%s and %s', (operator, mirrored) => {
  it('are each other with the sides exchanged', () => {
    const [one, other] = [
      compile(`properties["a"] ${operator} properties["b"]`),
      compile(`properties["b"] ${mirrored} properties["a"]`),
    ];
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        expect(one({ a, b })).toBe(other({ a, b }));
      }),
    );
  });
});
