import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, ExpressionSyntaxError, evaluatePartially } from '../../../src/api/index.ts';
import { isWellFormed } from '../../../src/base/strings.ts';
import type { Expression } from '../../../src/lang/ast.ts';
import type { Use } from '../../../src/lang/check/check.ts';
import type { PartialInput } from '../../../src/lang/check/context.ts';
import { interpret } from '../../../src/lang/engines/interpret.ts';
import { toCondition } from '../../../src/lang/operators/coercions.ts';
import { MAX_SECONDS } from '../../../src/lang/operators/time.ts';
import { findTimeZone } from '../../../src/lang/operators/time-zone.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import { readProperty, type Value } from '../../../src/lang/value.ts';
import { expressions, records } from '../../arbitraries.ts';
import { type Input, outcome, withoutSpan } from '../../engines.ts';
import { runs, splitRuns } from '../../runs.ts';
import { VECTOR_FILES, vectorsIn } from '../../vectors.ts';

describe('evaluatePartially', () => {
  it.each<[source: string, known: PartialInput, left: string]>([
    // Constants
    ['properties["a"]', { properties: { a: 'x' } }, '"x"'],
    ['event["a"] * 2', { properties: { a: -1.5 } }, '-3'],
    ['properties["b"] - user["a"]', { user: { a: -2 } }, 'properties["b"] - -2'],
    ['now - properties["time"]', { now: 1750000000 }, '1750000000 - properties["time"]'],
    ['properties["a"] == properties["b"]', { properties: { a: true } }, 'true == properties["b"]'],
    ['properties["a"]', {}, 'properties["a"]'],
    ['properties["a"]', { user: { a: 1 } }, 'properties["a"]'],
    // Values without a literal
    ['properties["a"]', { properties: { a: undefined } }, 'properties["a"]'],
    ['string(properties["a"]) == properties["b"]', { properties: { a: null } }, 'properties["a"] == properties["b"]'],
    [
      'number(properties["a"]) + 1 == properties["b"]',
      { properties: { a: '12a' } },
      'number("12a") == properties["b"]',
    ],
    [
      'properties["b"] in properties["a"]',
      { properties: { a: ['x', -1, true] } },
      'properties["b"] in ["x", -1, true]',
    ],
    ['properties["b"] in properties["a"]', { properties: { a: ['x', null] } }, 'properties["b"] in properties["a"]'],
    // Logic
    ['properties["a"] == 1 and properties["b"] == 2', { properties: { a: 1 } }, 'properties["b"] == 2'],
    ['properties["a"] == 1 and properties["b"] == 2', { properties: { a: 2 } }, 'false'],
    ['properties["a"] == 1 or properties["b"] == 2', { properties: { a: 1 } }, 'true'],
    [
      'properties["a"] > 1 and properties["b"] == 2',
      { properties: {}, user: {} },
      'properties["a"] > 1 and properties["b"] == 2',
    ],
    ['properties["a"] > 1 or properties["b"] == 2', { properties: { a: undefined } }, 'properties["b"] == 2'],
    ['properties["a"] == 1 and properties["b"]', { properties: { a: 1 } }, 'true and properties["b"]'],
    ['properties["a"] == 1 and properties["b"]', { properties: { a: 2 } }, 'false and properties["b"]'],
    [
      'properties["b"] and properties["c"] == 1 and properties["a"] == 1',
      { properties: { a: 2 } },
      'properties["b"] and false',
    ],
    ['properties["a"] and properties["b"] == 1', { properties: { a: 'x' } }, '"x" and properties["b"] == 1'],
    [
      'user["x"] and (properties["a"] == 1 or user["y"] and user["z"])',
      { properties: { a: 2 } },
      'user["x"] and user["y"] and user["z"]',
    ],
    ['not not properties["b"] == 1', {}, 'properties["b"] == 1'],
    ['not not properties["b"]', {}, 'not not properties["b"]'],
    ['not (properties["a"] == 1 and properties["b"] > 1)', { properties: { a: 1 } }, 'not properties["b"] > 1'],
    [
      '(properties["a"] == 1 and properties["b"] > 1) == true',
      { properties: { a: 1 } },
      '(true and properties["b"] > 1) == true',
    ],
    // Comparisons of times
    ['properties["a"] > datetime("2025-06-01")', {}, 'properties["a"] > datetime("2025-06-01")'],
    [
      'datetime(properties["a"]) < properties["b"]',
      { properties: { a: '2025-06-01' } },
      'datetime("2025-06-01") < properties["b"]',
    ],
    [
      'datetime(properties["a"]) + 1 == properties["b"]',
      { properties: { a: 'soon' } },
      'datetime("soon") + 1 == properties["b"]',
    ],
    ['datetime(properties["a"]) + 1', { properties: { a: '1970-01-01' } }, '1'],
  ])('of %s with %j returns %s', (source, known, left) => {
    expect(evaluatePartially(source, known)).toBe(left);
  });

  it('counts undefined as false in a filter', () => {
    const known = { properties: { a: 1, b: undefined } };
    const source = 'properties["a"] == 1 and properties["c"] > 1';
    expect(evaluatePartially(source, known)).toBe('true and properties["c"] > 1');
    expect(evaluatePartially(source, known, { use: 'where' })).toBe('properties["c"] > 1');
    expect(evaluatePartially('properties["b"] > 1', known, { use: 'where' })).toBe('false');
  });

  it('evaluates now only if the time is given', () => {
    expect(evaluatePartially('now > 5', {})).toBe('now > 5');
    expect(evaluatePartially('now > 5', { now: 6.5 })).toBe('true');
    expect(evaluatePartially('now > 5', { now: 0 })).toBe('false');
    expect(() => evaluatePartially('now', { now: Number.NaN })).toThrow(RangeError);
  });

  it('returns canonical source in several lines', () => {
    const long = `properties["a"] == 1 and properties["b"] == "${'b'.repeat(40)}" and properties["c"] == "${'c'.repeat(40)}"`;
    expect(evaluatePartially(long, { properties: { a: 1 } })).toContain('\nand ');
  });

  it('handles deep nesting', () => {
    const nested = `${'datetime('.repeat(250)}properties["a"]${')'.repeat(250)}`;
    expect(evaluatePartially(nested, { properties: { a: 'soon' } })).toBe(nested.replace('properties["a"]', '"soon"'));
    expect(evaluatePartially(`${'not '.repeat(250)}properties["a"]`, { properties: { a: false } })).toBe('false');
  });

  it('throws if the result exceeds a limit', () => {
    const long = { properties: { a: 'x'.repeat(70_000) } };
    expect(evaluatePartially('properties["a"] == properties["b"]', {})).toContain('properties["a"]');
    expect(() => evaluatePartially('properties["a"] == properties["b"]', long)).toThrow(ExpressionSyntaxError);
    expect(evaluatePartially('properties["a"] == properties["b"]', long, { limits: { length: 80_000 } })).toHaveLength(
      70_021,
    );
  });
});

/** A part of a record, including properties that it does not have. */
interface Choice {
  readonly known: PartialInput;
  readonly use: Use;
}

const NAMES = ['amount', 'count', 'plan', 'seen', 'paid', 'active', 'tags', 'mixed', '__proto__', '', 'say "hi"'];

const choices = fc.record({
  names: fc.subarray(NAMES),
  scopes: fc.subarray(['properties', 'user', 'now'] as const),
  use: fc.constantFrom<Use[]>('where', 'value'),
});

function choose(
  { properties, user, now }: Input,
  { names, scopes, use }: typeof choices extends fc.Arbitrary<infer T> ? T : never,
): Choice {
  const part = (record: Input['user']) =>
    Object.fromEntries(names.map((name) => [name, record && Object.hasOwn(record, name) ? record[name] : undefined]));
  const all = { properties: part(properties), user: part(user), now: Math.min(now ?? 0, MAX_SECONDS) };
  return { known: Object.fromEntries(scopes.map((scope) => [scope, all[scope]])), use };
}

function compileInterpreted(source: string, use: Use, timeZone = 'UTC'): (input: Input) => Value {
  const tree = parse(source);
  return ({ properties, user, now = 0 }) => {
    const value = interpret(tree, { properties, user, now, timeZone: findTimeZone(timeZone) }, source);
    return use === 'where' ? toCondition(value, 'where', tree.span, source) : value;
  };
}

function hasLiteral(value: Value): boolean {
  return typeof value === 'string' ? isWellFormed(value) : typeof value === 'number' || typeof value === 'boolean';
}

describe('the result of evaluatePartially', () => {
  const seen = { shorter: 0, literals: 0, errors: 0, changed: 0 };
  const law = (tree: Expression, input: Input, choice: Parameters<typeof choose>[1], others: readonly Input[]) => {
    const { known, use } = choose(input, choice);
    const source = print(tree);
    const left = evaluatePartially(source, known, { use });
    const [whole, rest] = [compileInterpreted(source, use), compileInterpreted(left, use)];
    for (const other of [input, ...others]) {
      const record = {
        properties: { ...other.properties, ...known.properties },
        user: known.user ? { ...other.user, ...known.user } : other.user,
        now: known.now ?? other.now,
      };
      const [expected, got] = [outcome(whole, record), outcome(rest, record)];
      if (!isDeepStrictEqual(withoutSpan(got), withoutSpan(expected))) {
        expect.fail(
          `${left} is ${inspect(got)}, not ${inspect(expected)} as ${source} with ${inspect(known)} on ${inspect(record)}`,
        );
      }
      if ('operator' in expected) seen.errors++;
    }
    expect(evaluatePartially(left, known, { use }), source).toBe(left);
    for (const { scope, name } of check(left).properties) {
      const part = known[scope];
      if (part !== undefined && Object.hasOwn(part, name))
        expect(hasLiteral(readProperty(part, name)), `${name} in ${left}`).toBe(false);
    }
    if (left.length < source.length) seen.shorter++;
    if (left !== source) seen.changed++;
    if (parse(left).kind === 'literal') seen.literals++;
  };

  it(
    'has the value of the expression on every matching record and cannot be reduced further',
    () => {
      const others = fc.array(records, { minLength: 3, maxLength: 3 });
      const property = fc.property(expressions(4), records, choices, others, law);
      const { seeded, fresh } = splitRuns(runs(3_000));
      fc.assert(property, seeded);
      expect(seen.shorter / seeded.numRuns).toBeGreaterThan(0.2);
      expect(seen.literals / seeded.numRuns).toBeGreaterThan(0.05);
      expect(seen.errors / seeded.numRuns).toBeGreaterThan(0.05);
      expect(seen.changed / seeded.numRuns).toBeGreaterThan(0.3);
      fc.assert(property, fresh);
    },
    6 * 3_600_000,
  );
});

describe('the result of evaluatePartially with the whole record', () => {
  it.each(VECTOR_FILES)('has the values of %s', (file) => {
    for (const { id, expr, props, user, now, timeZone = 'UTC', where, expect: expected } of vectorsIn(file)) {
      const use = where ? 'where' : 'value';
      const known = { properties: props, user: user ?? {}, now };
      if ('error' in expected && expected.error === 'syntax') {
        expect(() => evaluatePartially(expr, known, { use, timeZone }), id).toThrow(ExpressionSyntaxError);
        continue;
      }
      const left = evaluatePartially(expr, known, { use, timeZone });
      const result = outcome(compileInterpreted(left, use, timeZone), { properties: props, user, now });
      if ('error' in expected) expect(result, id).toHaveProperty('operator');
      else expect(result, id).toEqual({ value: 'value' in expected ? expected.value : undefined });
    }
  });
});
