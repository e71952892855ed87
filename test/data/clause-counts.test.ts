import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClauseCounter, type ClauseCounts } from '../../src/data/clause-counts.ts';
import type { Expression } from '../../src/lang/ast.ts';
import { ExpressionTypeError } from '../../src/lang/errors.ts';
import { parse } from '../../src/lang/syntax/parse.ts';
import { logical, prefix, records, sources } from '../arbitraries.ts';
import { ENGINES, type Input } from '../engines.ts';
import { respell } from '../respell.ts';
import { runs } from '../runs.ts';
import { withShortTraces } from '../with-short-traces.ts';

/** Filters of several clauses. */
const filters: fc.Arbitrary<string> = fc
  .letrec<{ tree: Expression }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'filter' },
      sources.map(({ tree }) => tree),
      fc
        .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('tree'), { minLength: 2, maxLength: 3 }))
        .map((parts) => logical(...parts)),
      tie('tree').map((operand) => prefix('not', operand)),
    ),
  }))
  .tree.map((tree) => respell(tree, 1));

const samples = fc
  .array(records, { minLength: 1, maxLength: 12 })
  .map((all) => all.map((each) => ({ ...each, now: 0 })));

function count(source: string, inputs: readonly Input[]): ClauseCounter {
  const counter = new ClauseCounter(source, 0);
  for (const { properties, user } of inputs) counter.add(properties, user);
  return counter;
}

/** Returns for each record whether the interpreter selects it; undefined for a type error. */
function select(source: string, inputs: readonly Input[]): (boolean | undefined)[] {
  const run = ENGINES.interpret?.(source, parse(source), true) ?? expect.unreachable();
  return inputs.map((input) => {
    try {
      return withShortTraces(() => run(input)) === true;
    } catch (error) {
      if (error instanceof ExpressionTypeError) return undefined;
      throw error;
    }
  });
}

/** Returns the records that the interpreter selects. */
function filter(source: string, inputs: readonly Input[]): Input[] {
  const selected = select(source, inputs);
  return inputs.filter((_, index) => selected[index]);
}

/** Expects the counts of a part that sees some records, and of all parts below it. */
function expectCounts(part: ClauseCounts, inputs: readonly Input[]): void {
  expect([part.seen, part.matched]).toEqual([inputs.length, filter(part.code, inputs).length]);
  let [rest, before] = [inputs, new Set<Input>()];
  for (const clause of part.clauses) {
    expectCounts(clause, rest);
    const found = filter(clause.code, rest);
    if (part.kind === 'and') rest = found;
    const added = found.filter((input) => !before.has(input));
    expect(clause.added).toBe(part.kind === 'or' ? added.length : undefined);
    before = new Set([...before, ...found]);
  }
}

describe('the counts of clauses', () => {
  it('end with the records that the interpreter selects', () => {
    const isSame = (source: string, inputs: readonly Input[]) => {
      const { records: total, errors, tree } = count(source, inputs).counts;
      const expected = select(source, inputs);
      expect(total).toBe(inputs.length);
      expect(tree.matched).toBe(expected.filter((selected) => selected === true).length);
      expect(errors).toBe(expected.filter((selected) => selected === undefined).length);
      expect(tree.seen).toBe(total - errors);
    };
    fc.assert(fc.property(filters, samples, isSame), { numRuns: runs(2_000) });
  });

  it('are those of the interpreter on the records that reach each clause', () => {
    const isSame = (source: string, inputs: readonly Input[]) => {
      const selected = select(source, inputs);
      const sound = inputs.filter((_, index) => selected[index] !== undefined);
      expectCounts(count(source, inputs).counts.tree, sound);
    };
    fc.assert(fc.property(filters, samples, isSame), { numRuns: runs(2_000) });
  });

  it('do not depend on how records are divided among counters', () => {
    const isSame = (source: string, inputs: readonly Input[], cut: number) => {
      const [first, second] = [inputs.slice(0, cut), inputs.slice(cut)];
      const merged = new ClauseCounter(source, 0);
      merged.merge(structuredClone(count(source, second).take()));
      merged.merge(structuredClone(count(source, first).take()));
      expect(merged.counts).toEqual(count(source, inputs).counts);
    };
    fc.assert(fc.property(filters, samples, fc.nat(12), isSame), { numRuns: runs(500) });
  });

  it('are reset when they are taken', () => {
    const counter = count('properties["a"] > 1 or properties["b"]', [
      { properties: { b: true } },
      { properties: { b: 1 } },
    ]);
    counter.take();
    expect(counter.counts).toEqual(count('properties["a"] > 1 or properties["b"]', []).counts);
  });

  it('tell missing properties, undefined values and type errors apart', () => {
    const source = 'properties["a"] > 1 and (properties["b"] == "x" or properties["c"])';
    const all = [
      { a: 2, b: 'x' },
      { a: 2, b: 'y', c: false },
      { a: 'high', b: 'x' },
      { b: 'x' },
      { a: 1, b: 'x' },
      { a: 2, b: 'x', c: 'yes' },
    ];
    const {
      records: total,
      errors,
      tree,
    } = count(
      source,
      all.map((properties) => ({ properties })),
    ).counts;
    expect([total, errors]).toEqual([6, 1]);
    const [first, either] = tree.clauses;
    const missing = [{ scope: 'properties', name: 'a', count: 1 }];
    expect(first).toMatchObject({ seen: 5, matched: 2, undefined: 1, missing, errors: 0 });
    expect(either).toMatchObject({ kind: 'or', seen: 2, matched: 1 });
    expect(either?.clauses).toMatchObject([
      { code: 'properties["b"] == "x"', seen: 2, matched: 1, added: 1, missing: [] },
      { seen: 2, matched: 0, added: 0, missing: [{ name: 'c', count: 1 }], errors: 1 },
    ]);
  });

  it('look into a `not` only if it is around `and` or `or`', () => {
    const { tree } = count('not (properties["a"] and properties["b"]) and not properties["c"]', []).counts;
    expect(tree.clauses.map(({ kind, clauses }) => [kind, clauses.map((clause) => clause.kind)])).toEqual([
      ['not', ['and']],
      ['clause', []],
    ]);
  });
});
