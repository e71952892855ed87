import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Cost, explain, type Properties, type Traced, trace, type Value } from '../../../src/api/index.ts';
import { walk } from '../../../src/lang/ast.ts';
import { interpret } from '../../../src/lang/engines/interpret.ts';
import type { StrictRow } from '../../../src/lang/operators/row.ts';
import {
  BINARY,
  type BinaryName,
  FUNCTIONS,
  type FunctionName,
  LOGICAL,
  PREFIX,
  type PrefixName,
} from '../../../src/lang/operators/table.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import { isSubset, LIST, STRING } from '../../../src/lang/types.ts';
import { getType } from '../../../src/lang/value.ts';
import { expressions, records } from '../../arbitraries.ts';
import { type Input, outcome } from '../../engines.ts';
import { runs, splitRuns } from '../../runs.ts';

/** Counts the operations of the interpreter in an evaluation. */
const done = vi.hoisted(() => ({ operations: 0 }));

function countCalls<Run extends (...given: never[]) => unknown>(run: Run): Run {
  return ((...given: never[]) => {
    done.operations++;
    return run(...given);
  }) as Run;
}

vi.mock('../../../src/lang/operators/overloads.ts', async (original) => {
  const { applyOperator, ...rest } = await original<typeof import('../../../src/lang/operators/overloads.ts')>();
  return {
    ...rest,
    // Functions that a row calls are part of its operation.
    applyOperator: (...given: Parameters<typeof applyOperator>) => {
      const before = done.operations;
      const result = applyOperator(...given);
      done.operations = before + 1;
      return result;
    },
  };
});
vi.mock('../../../src/lang/operators/coercions.ts', async (original) => {
  const { toCondition, ...rest } = await original<typeof import('../../../src/lang/operators/coercions.ts')>();
  return { ...rest, toCondition: countCalls(toCondition) };
});
vi.mock('../../../src/lang/operators/functions.ts', async (original) => {
  const { isElement, ...rest } = await original<typeof import('../../../src/lang/operators/functions.ts')>();
  const countItems = (value: Value, list: readonly unknown[]) =>
    isElement(value, {
      some: (test: (item: unknown) => boolean) => list.some((item) => countCalls(test)(item)),
    } as never);
  return { ...rest, isElement: countItems };
});

/** Evaluates a source and counts its reads and operations. */
function run(
  source: string,
  { properties, user, now = 0 }: Input,
): { reads: number; operations: number; failed: boolean } {
  let reads = 0;
  const watched = (record: Properties = {}) =>
    new Proxy(record, {
      getOwnPropertyDescriptor: (target, name) => {
        reads++;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  const input = { properties: watched(properties), user: watched(user), now };
  done.operations = 0;
  const result = outcome(() => interpret(parse(source), input, source), input);
  return { reads, operations: done.operations, failed: 'operator' in result };
}

describe('the cost', () => {
  it.each<[source: string, cost: [reads: number, operations: number, scans: number]]>([
    ['1', [0, 0, 0]],
    ['now', [0, 0, 0]],
    ['properties["a"]', [1, 0, 0]],
    ['properties["a"] + properties["a"] + user["a"]', [3, 2, 2]],
    ['properties["a"] and properties["b"] and properties["c"]', [3, 3, 0]],
    ['properties["a"] in [1, 2, "x"]', [1, 3, 0]],
    ['properties["a"] in properties["b"]', [2, 1, 1]],
    ['properties["a"] in "text"', [1, 1, 0]],
    ['"text" in properties["a"]', [1, 1, 1]],
    ['properties["a"] == "text"', [1, 1, 0]],
    ['properties["a"] == properties["b"]', [2, 1, 1]],
    ['properties["a"] < properties["b"]', [2, 1, 1]],
    ['number(properties["a"]) < number(properties["b"])', [2, 3, 2]],
    ['number("12") < 5', [0, 2, 0]],
    ['string(properties["a"]) == "x"', [1, 2, 0]],
    ['properties["a"] > datetime("2025-01-01")', [1, 3, 1]],
    ['datetime(properties["a"]) > datetime(properties["b"])', [2, 3, 2]],
    ['not -floor(properties["a"]) == 1', [1, 4, 0]],
    ['defined(properties["a"]) == defined(properties["b"])', [2, 3, 0]],
  ])('of %s is %j', (source, [reads, operations, scans]) => {
    expect(explain(source).cost).toEqual({ reads, operations, scans });
  });

  it('has no scans if a schema rules out strings and lists', () => {
    const schema = { properties: { a: { types: ['number'] }, b: { types: ['string', 'list'] } } } as const;
    expect(explain('number(properties["a"])', { schema }).cost.scans).toBe(0);
    expect(explain('properties["a"] == properties["b"]', { schema }).cost.scans).toBe(0);
    expect(explain('properties["a"] in properties["b"]', { schema }).cost.scans).toBe(1);
  });

  it.each([
    [1, 1],
    [2, 2],
    ['x', 3],
  ])('of a literal list is the number of compared items: %j takes %d', (a, operations) => {
    expect(run('properties["a"] in [1, 2, 3]', { properties: { a } })).toMatchObject({ operations });
  });

  it('is exact for every evaluation without literal lists and type errors, and else an upper bound', () => {
    let exact = 0;
    const law = fc.property(expressions(4), records, (tree, input) => {
      const source = print(tree);
      const { reads, operations } = explain(source).cost;
      const taken = run(source, input);
      const isExact = !taken.failed && [...walk(tree)].every(({ kind }) => kind !== 'membership');
      if (isExact) {
        exact++;
        expect(taken, source).toEqual({ reads, operations, failed: false });
      } else {
        expect(taken.reads, source).toBeLessThanOrEqual(reads);
        expect(taken.operations, source).toBeLessThanOrEqual(operations);
      }
    });
    const { seeded, fresh } = splitRuns(runs(2_000));
    fc.assert(law, seeded);
    expect(exact).toBeGreaterThan(seeded.numRuns / 2);
    fc.assert(law, fresh);
  });
});

/** Counts the operations that scanned a string or a list that is not constant, according to their operands. */
function scansOf(node: Traced): number {
  const { kind, operator = '', children } = node;
  const own = (): number => {
    switch (kind) {
      case 'call':
        return scans(FUNCTIONS[operator as FunctionName], children);
      case 'prefix':
        return scans(PREFIX[operator as PrefixName], children);
      case 'binary':
        return scans(BINARY[operator as BinaryName], children);
      case 'timeComparison': {
        const read = children.filter((side) => side.operator !== 'datetime');
        return read.reduce((sum, side) => sum + scans(FUNCTIONS.datetime, [side]), 0);
      }
      default:
        return 0;
    }
  };
  return children.reduce((sum, child) => sum + scansOf(child), own());
}

function scans(row: StrictRow, operands: readonly Traced[]): 0 | 1 {
  const types = operands.map(({ value }) => getType(value));
  const met = row.overloads.find((overload) =>
    types.every((type, index) => isSubset(type, overload.operands[index] ?? 0)),
  );
  const isLong = types.map((type) => isSubset(type, STRING | LIST));
  const isFree = operands.map(({ constant }) => constant === undefined);
  const scanned = {
    never: false,
    any: isLong.some((long, index) => long && isFree[index]),
    shorter: isLong[0] === true && types[0] === types[1] && !isFree.includes(false),
    last: isLong.at(-1) === true && isFree.at(-1) === true,
  };
  return met?.grows !== undefined && scanned[met.grows] ? 1 : 0;
}

describe('scans', () => {
  it('are an upper bound on every record', () => {
    let total = 0;
    const law = fc.property(expressions(4), records, (tree, { properties, user }) => {
      const traced = trace(print(tree), properties, user, { now: 0 });
      const scans = scansOf(traced);
      total += scans;
      expect(scans, traced.code).toBeLessThanOrEqual(explain(traced.code).cost.scans);
    });
    const { seeded, fresh } = splitRuns(runs(2_000));
    fc.assert(law, seeded);
    expect(total).toBeGreaterThan(seeded.numRuns / 7);
    fc.assert(law, fresh);
  });

  const VALUES = { string: 'x', number: 1, boolean: true, null: null, list: ['x'] } as const;
  const TYPES = Object.keys(VALUES) as (keyof typeof VALUES)[];
  const OPERATIONS = Object.keys({ ...BINARY, ...LOGICAL }).map(
    (operator) => `properties["a"] ${operator} properties["b"]`,
  );
  const CALLS = Object.keys({ ...FUNCTIONS, ...PREFIX }).map((name) => `${name}(properties["a"])`);

  it.each([...OPERATIONS, ...CALLS, 'properties["a"] > datetime(properties["b"])', 'properties["a"] in ["x"]'])(
    'of %s are exact for every pair of types',
    (source) => {
      for (const a of TYPES) {
        for (const b of TYPES) {
          const schema = { properties: { a: { types: [a] }, b: { types: [b] } } };
          const { scans }: Cost = explain(source, { schema }).cost;
          expect(scansOf(trace(source, { a: VALUES[a], b: VALUES[b] }, {}, { now: 0 })), `${a} ${b}`).toBe(scans);
        }
      }
    },
  );
});
