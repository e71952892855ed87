import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, evaluate } from '../../../src/api/expressions.ts';
import { BINARY, OPERATORS } from '../../../src/lang/operators/table.ts';
import * as numbers from '../../../src/lang/plan/numbers.ts';
import { LIST, NUMBER, STRING } from '../../../src/lang/types.ts';
import { anyValue, valuesOf } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

const MISSING = 'undefined';

describe.each(OPERATORS.map((row) => [`${row.fixity} ${row.name}`, row] as const))('%s', (_, row) => {
  it('has a summary and examples', () => {
    expect(row.summary).toMatch(/^\S.*\.$/s);
    expect(row.examples.length).toBeGreaterThan(0);
  });

  it.each(row.examples)('evaluates its example %s to %s', (source, written) => {
    const expected = written === MISSING ? undefined : JSON.parse(written);
    expect(evaluate(source, {})).toStrictEqual(expected);
    expect(compile(source)({})).toStrictEqual(expected);
  });

  it.each(row.examples)('occurs in its example %s', (source) => {
    expect(source).toContain(row.name);
  });
});

describe('overloads', () => {
  it('have unique ids', () => {
    const ids = OPERATORS.flatMap((row) => ('overloads' in row ? row.overloads.map(({ id }) => id) : []));
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have a growth if they take strings or lists', () => {
    for (const row of OPERATORS) {
      if (!('overloads' in row)) continue;
      for (const { id, operands, grows } of row.overloads) {
        expect(grows !== undefined, id).toBe(operands.some((types) => (types & (STRING | LIST)) !== 0));
      }
    }
  });

  it('have two operands if the operator is infix, else one', () => {
    for (const row of OPERATORS) {
      if (!('overloads' in row)) continue;
      const counts = row.overloads.map(({ operands }) => operands.length);
      expect(new Set(counts), row.name).toEqual(new Set([row.fixity === 'infix' ? 2 : 1]));
    }
  });
});

const KERNELS = OPERATORS.flatMap((row) => ('overloads' in row ? row.overloads : [])).flatMap(
  ({ id, operands, result, evaluate, kernel }) => (kernel ? [{ id, operands, result, evaluate, kernel }] : []),
);

describe.each(KERNELS)('the kernel of $id', ({ operands, result, evaluate, kernel }) => {
  const names = ['a', 'b'].slice(0, operands.length);
  const code = kernel(...names);
  const run = new Function(...Object.keys(numbers), ...names, `return ${code}`);
  const runKernel = (...values: number[]): unknown => run(...Object.values(numbers), ...values);

  it('takes numbers, and uses each operand once', () => {
    expect(new Set(operands)).toEqual(new Set([NUMBER]));
    for (const name of names) expect(code.match(new RegExp(`\\b${name}\\b`, 'g'))).toHaveLength(1);
  });

  it('returns the result of the overload', () => {
    const number = fc.oneof(
      valuesOf.number as fc.Arbitrary<number>,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(fc.tuple(...names.map(() => number)), (values) => {
        const found = runKernel(...values);
        const expected = evaluate(...(values as never[]));
        expect(typeof found === 'number' ? found + 0 : found).toBe(expected === undefined ? Number.NaN : expected);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('returns NaN or false if an operand is not a number', () => {
    const nothing = (result & NUMBER) !== 0 ? Number.NaN : false;
    for (const missing of names) {
      expect(runKernel(...names.map((name) => (name === missing ? Number.NaN : 1)))).toBe(nothing);
    }
  });
});

describe.each([
  ['==', '!='],
  ['<', '>='],
  ['>', '<='],
] as const)('%s and %s', (operator, negator) => {
  const [one, other] = [operator, negator].map((name) => compile(`properties["a"] ${name} properties["b"]`));

  it('are opposites, or both undefined', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        const [result, opposite] = [one?.({ a, b }), other?.({ a, b })];
        expect(opposite).toBe(result === undefined ? undefined : !result);
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
  it('are equal with swapped operands', () => {
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
