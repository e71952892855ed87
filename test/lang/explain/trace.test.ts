import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Expression,
  ExpressionSyntaxError,
  type Properties,
  parse,
  type Traced,
  type TraceOptions,
  trace,
  why,
} from '../../../src/api/index.ts';
import { getChildren } from '../../../src/lang/ast.ts';
import { type InterpretInput, interpret } from '../../../src/lang/engines/interpret.ts';
import { toCondition } from '../../../src/lang/operators/coercions.ts';
import { MAX_SECONDS } from '../../../src/lang/operators/time.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import { expressions, records } from '../../arbitraries.ts';
import { outcome } from '../../engines.ts';
import { runs, splitRuns } from '../../runs.ts';

/** Checks that every node of a trace has the value or type error of the interpreter for that part of the tree. */
function expectSame(
  traced: Traced,
  node: Expression,
  source: string,
  input: InterpretInput & { properties: Properties; user: Properties | undefined; now: number },
): void {
  const { properties, user, now } = input;
  const expected = outcome(() => interpret(node, input, source), { properties, user, now });
  if ('value' in expected) {
    expect(traced, traced.code).toHaveProperty('value', expected.value);
    expect(traced.error).toBeUndefined();
  } else {
    expect(traced, traced.code).not.toHaveProperty('value');
    expect(traced.error).toMatchObject({ code: 'operand-type', severity: 'error', span: expected.span });
    expect(traced.error?.message).toContain(`\`${expected.operator}\``);
  }
  for (const [index, child] of getChildren(node).entries()) {
    expectSame(traced.children[index] as Traced, child, source, input);
  }
}

describe('trace', () => {
  it('returns the value or the type error of every part, as the interpreter does', () => {
    fc.assert(
      fc.property(expressions(4), records, (tree, { properties, user, now = 0 }) => {
        const source = print(tree);
        const fixed = Math.min(now, MAX_SECONDS);
        expectSame(trace(source, properties, user, { now: fixed }), parse(source), source, {
          properties,
          user,
          now: fixed,
        });
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('distinguishes a missing property from one that is present and undefined', () => {
    const missing = (properties: Properties) => trace('properties["a"]', properties).missing;
    const hostile = new Proxy({}, { getOwnPropertyDescriptor: () => expect.unreachable() });
    expect([missing({}), missing({ a: {} }), missing({ a: null }), missing(hostile)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(trace('user["a"]', { a: 1 })).toMatchObject({ missing: true, value: undefined });
    expect(trace('1', {})).not.toHaveProperty('missing');
  });

  it('returns the type error of a filter that is not a boolean', () => {
    expect(trace('properties["a"]', { a: 5 }, {}, { use: 'where' })).toMatchObject({
      value: 5,
      error: { code: 'filter-type' },
    });
    for (const properties of [{}, { a: true }]) {
      expect(trace('properties["a"]', properties, {}, { use: 'where' }).error).toBeUndefined();
    }
  });

  it('accepts the time, a schema and limits', () => {
    expect(trace('now', {}, {}, { now: 5 }).value).toBe(5);
    const schema = { properties: { a: { types: ['number'] } } } as const;
    expect(trace('properties["a"]', { a: 'x' }, {}, { schema })).toMatchObject({
      value: 'x',
      types: ['number', 'undefined'],
    });
    expect(() => trace('1 + 1', {}, {}, { limits: { depth: 0 } })).toThrow(ExpressionSyntaxError);
  });

  it('traces the deepest tree that limits allow', () => {
    const source = `${'not '.repeat(400)}properties["a"]`;
    const traced = trace(source, { a: true }, {}, { limits: { depth: 400 } });
    expect([traced.value, why(traced)[0]?.code]).toEqual([true, 'properties["a"]']);
  });
});

describe('why', () => {
  const reasons = (source: string, properties: Properties, options?: TraceOptions) =>
    why(trace(source, properties, undefined, options)).map(({ message }) => message);

  it.each<[source: string, properties: Properties, messages: string[]]>([
    // Comparisons
    [
      'properties["plan"] == "pro"',
      { plan: 'free' },
      ['properties["plan"] == "pro" is false: properties["plan"] is "free"'],
    ],
    ['properties["plan"] == "pro"', {}, ['properties["plan"] == "pro" is false: properties["plan"] is missing']],
    [
      'properties["plan"] == "pro"',
      { plan: {} },
      ['properties["plan"] == "pro" is false: properties["plan"] is undefined'],
    ],
    [
      'properties["plan"] == "pro"',
      { plan: null },
      ['properties["plan"] == "pro" is false: properties["plan"] is null'],
    ],
    [
      'properties["age"] == 5',
      { age: '5' },
      ['properties["age"] == 5 is false: properties["age"] is "5"; "5" is a string, 5 a number'],
    ],
    [
      'number(properties["amount"]) > 100',
      { amount: '12a' },
      ['number(properties["amount"]) > 100 is undefined: properties["amount"] is "12a"; "12a" is not a number'],
    ],
    [
      'properties["a"] * 2 > properties["b"]',
      { a: '3', b: 4 },
      [
        'properties["a"] * 2 > properties["b"] is undefined: properties["a"] is "3", properties["b"] is 4; "3" is a string, 2 a number',
      ],
    ],
    [
      'properties["a"] > properties["a"]',
      { a: 1 },
      ['properties["a"] > properties["a"] is false: properties["a"] is 1'],
    ],
    ['now > properties["a"]', { a: 9 }, ['now > properties["a"] is false: now is 7, properties["a"] is 9']],
    [
      'properties["a"] in ["x", "y"]',
      { a: ['x'] },
      ['properties["a"] in ["x", "y"] is false: properties["a"] is ["x"]'],
    ],
    ['1 > 2', {}, ['1 > 2 is always false']],
    ['properties["paid"]', { paid: false }, ['properties["paid"] is false']],
    ['properties["paid"]', {}, ['properties["paid"] is missing']],
    // Logic
    [
      'properties["a"] == 1 and properties["b"] == 2 and properties["c"]',
      { a: 1, b: 3 },
      ['properties["b"] == 2 is false: properties["b"] is 3', 'properties["c"] is missing'],
    ],
    [
      'properties["a"] == 1 and properties["b"] == 2',
      { a: 1, b: 2 },
      ['properties["a"] == 1 is true: properties["a"] is 1', 'properties["b"] == 2 is true: properties["b"] is 2'],
    ],
    [
      'properties["a"] == 1 or properties["b"] == 2',
      { a: 1, b: 3 },
      ['properties["a"] == 1 is true: properties["a"] is 1'],
    ],
    [
      'properties["a"] == 1 or properties["b"] == 2',
      { a: 2, b: 3 },
      ['properties["a"] == 1 is false: properties["a"] is 2', 'properties["b"] == 2 is false: properties["b"] is 3'],
    ],
    [
      'not (properties["a"] == 1 or properties["b"] == 2)',
      { a: 2, b: 2 },
      ['properties["b"] == 2 is true: properties["b"] is 2'],
    ],
    [
      'not properties["a"]',
      { a: 'x' },
      ['not properties["a"] is undefined: properties["a"] is "x"; `not` takes a boolean or undefined, not a string'],
    ],
    [
      '(properties["a"] and true) == true',
      { a: false },
      ['(properties["a"] and true) == true is false: properties["a"] is false'],
    ],
    // Type errors
    [
      'properties["b"] == 1 and not (true and properties["a"])',
      { a: 'x' },
      ['`and` takes booleans; this is a string. properties["a"] is "x"'],
    ],
    [
      'properties["a"] or number(properties["b"])',
      { a: true, b: '5' },
      ['`or` takes booleans; this is a number. number(properties["b"]) is 5: properties["b"] is "5"'],
    ],
  ])('explains %s on %j', (source, properties, messages) => {
    expect(reasons(source, properties, { now: 7 })).toEqual(messages);
  });

  it('explains the type error of a filter', () => {
    expect(reasons('properties["a"]', { a: 5 }, { use: 'where' })).toEqual([
      'A filter must be true or false; this is a number. properties["a"] is 5',
    ]);
  });

  it('returns the span, the value and the properties without duplicates', () => {
    const source = 'true and (event["a"] + properties["a"] < user["a"])';
    const [reason, ...others] = why(trace(source, { a: 2 }, { a: 1 }));
    expect(others).toEqual([]);
    expect(reason).toMatchObject({
      span: { start: 10, end: 50 },
      code: 'event["a"] + properties["a"] < user["a"]',
      value: false,
      reads: [
        { scope: 'properties', name: 'a', value: 2 },
        { scope: 'user', name: 'a', value: 1 },
      ],
    });
  });

  it('explains a part of a trace', () => {
    const traced = trace('properties["a"] == 1 or properties["b"] == 2', { a: 1 });
    expect(traced.children.map((child) => why(child)[0]?.value)).toEqual([true, false]);
  });

  it('truncates long values and sources', () => {
    const [message = ''] = reasons(`properties["a"] == "${'b'.repeat(500)}"`, { a: '\u{1f600}'.repeat(500) });
    expect(message.length).toBeLessThan(300);
    expect(message).toMatch(/^properties\["a"\] == "b+… is false: properties\["a"\] is "(\u{1f600})+…$/u);
  });

  it('names all deciding properties: if they are unchanged, so is the value of the filter', () => {
    let met = 0;
    const law = fc.property(expressions(4), records, records, (tree, one, other) => {
      const source = print(tree);
      const traced = trace(source, one.properties, one.user, { now: 7 });
      if (traced.error || typeof traced.value !== 'boolean') return;
      const decided = why(traced);
      const part = (scope: 'properties' | 'user') => {
        const kept = decided.flatMap(({ reads }) => reads.filter((read) => read.scope === scope));
        return { ...other[scope], ...Object.fromEntries(kept.map(({ name, value }) => [name, value])) };
      };
      const changed = trace(source, part('properties'), part('user'), { now: 7 });
      if (changed.error) return;
      met++;
      expect(toCondition(changed.value, 'where', changed.span, source), source).toBe(traced.value);
    });
    const { seeded, fresh } = splitRuns(runs(2_000));
    fc.assert(law, seeded);
    expect(met).toBeGreaterThan(seeded.numRuns / 4);
    fc.assert(law, fresh);
  });
});
