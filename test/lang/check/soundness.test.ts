import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression } from '../../../src/lang/ast.ts';
import { walk } from '../../../src/lang/ast.ts';
import { type Checked, checkTree, type Use } from '../../../src/lang/check/check.ts';
import type { Schema } from '../../../src/lang/check/schema.ts';
import type { Diagnostic } from '../../../src/lang/diagnostic.ts';
import { interpret } from '../../../src/lang/engines/interpret.ts';
import { ExpressionTypeError } from '../../../src/lang/errors.ts';
import { toCondition } from '../../../src/lang/operators/coercions.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import { getTypeNames } from '../../../src/lang/types.ts';
import { getTypeName, type Value } from '../../../src/lang/value.ts';
import { call, expressions, obedient, records } from '../../arbitraries.ts';
import type { Input } from '../../engines.ts';
import { IN_FULL, runs, splitRuns } from '../../runs.ts';

/** The values of a node, one for each record on which it raises no type error. */
interface Found {
  readonly values: readonly Value[];
  readonly throws: boolean;
}

function evaluate(node: Expression, source: string, inputs: readonly Input[]): Found {
  const values: Value[] = [];
  for (const { properties, user, now = 0 } of inputs) {
    try {
      values.push(interpret(node, { properties, user, now }, source));
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
    }
  }
  return { values, throws: values.length < inputs.length };
}

/** Returns whether what is known about a node holds for its values. */
function areTrue(facts: ReturnType<Checked['facts']['get']>, { values, throws }: Found): boolean {
  const types = getTypeNames(facts?.types ?? 0);
  const constant = facts?.constant;
  return (
    values.every((value) => types.includes(getTypeName(value))) &&
    !(throws && facts?.fallible === false) &&
    (constant === undefined || values.every((value) => isDeepStrictEqual(value, constant.value)))
  );
}

const isCondition = (value: Value) => value === undefined || typeof value === 'boolean';

/** The claims of diagnostics about the values of their nodes. */
const CLAIMS: Readonly<Record<string, (value: Value, node: Expression) => boolean>> = {
  'always-undefined': (value) => value === undefined,
  'no-value': (value) => value === undefined,
  'never-equal': (value, node) => value === ('operator' in node && node.operator === '!='),
  'operand-type': (value) => !isCondition(value),
  'filter-type': (value) => !isCondition(value),
  'never-true': (value) => typeof value !== 'boolean',
  'never-number': (value) => typeof value !== 'number',
};

/** Finds the node of a diagnostic. A side of a comparison of times also counts as read through `datetime`. */
function subject({ span, message }: Diagnostic, nodes: readonly Expression[]): Expression {
  const node = nodes.find((one) => one.span.start === span.start && one.span.end === span.end) ?? expect.unreachable();
  const readAsTime = message.startsWith('`datetime`') && !(node.kind === 'call' && node.operator === 'datetime');
  return readAsTime ? call('datetime', node) : node;
}

/** Counts the tested claims, to make sure that each was tested. */
const met = new Map<string, number>();
const meet = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);

function expectSound(tree: Expression, inputs: readonly Input[], use: Use, schema?: Schema): void {
  const source = print(tree);
  const checked = checkTree(source, parse(source), use, { schema });
  const nodes = [...walk(checked.tree)];
  for (const node of nodes) {
    const facts = checked.facts.get(node);
    const found = evaluate(node, source, inputs);
    // Calling `expect` for every value would take longer than evaluating.
    if (!areTrue(facts, found)) expect.fail(`${print(node)} in ${source}: ${inspect({ facts, ...found })}`);
    if (facts?.constant && node.kind !== 'literal') meet('constant');
    if (facts?.fallible) meet('fallible');
  }
  for (const diagnostic of checked.diagnostics) {
    const claim = CLAIMS[diagnostic.code];
    if (claim === undefined) continue;
    meet(diagnostic.code);
    const node = subject(diagnostic, nodes);
    const refuting = evaluate(node, source, inputs).values.filter((value) => !claim(value, node));
    expect(refuting, `${diagnostic.message} ${print(node)} in ${source}`).toEqual([]);
  }
  if (checked.diagnostics.some(({ severity }) => severity === 'error')) expectFailure(checked, inputs, use);
}

/** Checks that an expression with an error fails on every record. */
function expectFailure({ tree, source }: Checked, inputs: readonly Input[], use: Use): void {
  for (const { properties, user, now = 0 } of inputs) {
    const judge = () => {
      const value = interpret(tree, { properties, user, now }, source);
      if (use === 'where') toCondition(value, 'where', tree.span, source);
    };
    expect(judge, source).toThrow(ExpressionTypeError);
  }
}

const uses = fc.constantFrom<Use[]>('where', 'on', 'number', 'value');

describe('the facts of the checker', () => {
  const inputs = fc.array(records, { minLength: 6, maxLength: 6 });
  const laws = {
    'every record without a schema': fc.property(expressions(4), inputs, uses, (tree, sample, use) =>
      expectSound(tree, sample, use),
    ),
    'every record that matches the schema': fc.property(expressions(4), obedient, uses, (tree, drawn, use) =>
      expectSound(tree, drawn.inputs, use, drawn.schema),
    ),
  };
  const { seeded, fresh } = splitRuns(runs(1_500));

  it.each(Object.entries(laws))('hold on %s', (_, law) => {
    fc.assert<unknown>(law, fresh);
  });

  it('of every kind hold on some of these records', () => {
    met.clear();
    for (const law of Object.values(laws)) fc.assert<unknown>(law, seeded);
    for (const what of [...Object.keys(CLAIMS), 'constant', 'fallible']) {
      expect(met.get(what) ?? 0, what).toBeGreaterThan(IN_FULL ? 20 : 0);
    }
  });
});
