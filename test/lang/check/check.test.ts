import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckOptions, check } from '../../../src/api/expressions.ts';
import { walk } from '../../../src/lang/ast.ts';
import { checkTree } from '../../../src/lang/check/check.ts';
import type { Schema } from '../../../src/lang/check/schema.ts';
import type { DiagnosticCode } from '../../../src/lang/diagnostic.ts';
import { TYPE_NAMES, type TypeName } from '../../../src/lang/types.ts';
import { expressions } from '../../arbitraries.ts';

const schema: Schema = {
  properties: {
    plan: { types: ['string'] },
    amount: { types: ['number'] },
    paid: { types: ['boolean'] },
    tags: { types: ['list'] },
    gone: { types: ['null'] },
    code: { types: ['string', 'number'] },
    tier: { types: ['string'], values: ['free', 'pro', 'team'] },
    labels: { types: ['list'], values: ['new', 'sale', 7] },
  },
  user: { age: { types: ['number'] } },
};

interface Row {
  readonly source: string;
  readonly code: DiagnosticCode;
  /** The source under the span. */
  readonly at: string;
  readonly severity?: 'error';
  /** The source with the fix applied. */
  readonly fixed?: string;
  readonly options?: CheckOptions;
}

const known: CheckOptions = { schema };
const filter: CheckOptions = { use: 'where' };
const knownFilter: CheckOptions = { schema, use: 'where' };

// biome-ignore format: a table, to be read by its rows
const SECTION_6: readonly Row[] = [
  // Parts that fail on every record
  { source: '5 and true', code: 'operand-type', at: '5', severity: 'error' },
  { source: 'true or (1 + 2)', code: 'operand-type', at: '1 + 2', severity: 'error' },
  { source: 'properties["gone"] == 1 and string(1)', code: 'operand-type', at: 'string(1)', severity: 'error' },
  { source: 'number(true and "a")', code: 'operand-type', at: '"a"', severity: 'error' },
  { source: '(1)', code: 'filter-type', at: '1', severity: 'error', options: filter },
  { source: 'now', code: 'filter-type', at: 'now', severity: 'error', options: filter },

  // Operations that are always undefined
  { source: '1 + "a"', code: 'always-undefined', at: '1 + "a"' },
  { source: '-"a"', code: 'always-undefined', at: '-"a"' },
  { source: 'not 1', code: 'always-undefined', at: 'not 1' },
  { source: 'floor("2")', code: 'always-undefined', at: 'floor("2")' },
  { source: '1 in 2', code: 'always-undefined', at: '1 in 2' },
  { source: 'true < false', code: 'always-undefined', at: 'true < false' },
  { source: 'true < datetime(now)', code: 'always-undefined', at: 'true' },
  { source: '1 + properties["plan"]', code: 'always-undefined', at: '1 + properties["plan"]', options: known },
  { source: '-properties["tags"]', code: 'always-undefined', at: '-properties["tags"]', options: known },
  { source: '1 / 0', code: 'no-value', at: '1 / 0' },
  { source: 'number("ten")', code: 'no-value', at: 'number("ten")' },
  { source: 'datetime("soon") < now', code: 'no-value', at: 'datetime("soon")' },

  // Comparisons of types that are never equal
  { source: '"1" == 1', code: 'never-equal', at: '"1" == 1' },
  { source: 'true != 1', code: 'never-equal', at: 'true != 1' },
  { source: 'string(1) == now', code: 'never-equal', at: 'string(1) == now' },
  { source: 'properties["amount"] == "12"', code: 'never-equal', at: 'properties["amount"] == "12"', options: known },
  { source: 'properties["plan"] in [1, true]', code: 'never-equal', at: 'properties["plan"] in [1, true]', options: known },
  { source: 'properties["plan"] in []', code: 'never-equal', at: 'properties["plan"] in []' },

  // Chained comparisons
  { source: 'properties["a"] < properties["b"] < 3', code: 'chained-comparison', at: 'properties["a"] < properties["b"] < 3', fixed: '(properties["a"] < properties["b"] and properties["b"] < 3)' },
  { source: '1 < 2 < 3', code: 'chained-comparison', at: '1 < 2 < 3', fixed: '(1 < 2 and 2 < 3)' },
  { source: 'not 1 <= now < 3', code: 'chained-comparison', at: '1 <= now < 3', fixed: 'not (1 <= now and now < 3)' },
  { source: '5 > 4 > (3 == 3)', code: 'chained-comparison', at: '5 > 4 > (3 == 3)', fixed: '(5 > 4 and 4 > (3 == 3))' },
  { source: '1 == 2 == true', code: 'chained-comparison', at: '1 == 2 == true' },
  { source: '1 < 2 > 1', code: 'chained-comparison', at: '1 < 2 > 1' },
  { source: '1 in [1] == true', code: 'chained-comparison', at: '1 in [1] == true' },

  // Order comparisons of strings with a literal that looks like a number
  { source: 'properties["a"] < "10"', code: 'text-order', at: '"10"' },
  { source: '"1e3" >= properties["a"]', code: 'text-order', at: '"1e3"' },

  // Unknown properties
  { source: 'properties["plam"] == "pro"', code: 'unknown-property', at: 'properties["plam"]', options: known },
  { source: 'properties["Plan"] == "pro"', code: 'unknown-property', at: 'properties["Plan"]', fixed: 'properties["plan"] == "pro"', options: known },
  { source: 'event["Plan"] == "pro"', code: 'unknown-property', at: 'event["Plan"]', fixed: 'event["plan"] == "pro"', options: known },
  { source: 'user["agee"] == 1', code: 'unknown-property', at: 'user["agee"]', options: known },
  { source: 'properties["nothing like it"] == 1', code: 'unknown-property', at: 'properties["nothing like it"]', options: known },
  { source: 'properties["toString"] == 1', code: 'unknown-property', at: 'properties["toString"]', options: known },

  // Values that the property never has
  { source: 'properties["tier"] == "por"', code: 'unknown-value', at: '"por"', options: known },
  { source: '"por" != event["tier"]', code: 'unknown-value', at: '"por"', options: known },
  { source: 'properties["tier"] in ["pro", "TEAM", 5]', code: 'unknown-value', at: '"TEAM"', fixed: 'properties["tier"] in ["pro", "team", 5]', options: known },
  { source: '"sael" in properties["labels"]', code: 'unknown-value', at: '"sael"', options: known },
  { source: '-7 in properties["labels"]', code: 'unknown-value', at: '-7', options: known },
  { source: 'properties["tier"] == "p" + "ro!"', code: 'unknown-value', at: '"p" + "ro!"', options: known },

  // Words and symbols of other languages
  { source: 'properties["a"] = 1', code: 'single-equals', at: '=', severity: 'error', fixed: 'properties["a"] == 1' },
  { source: 'true && false', code: 'foreign-operator', at: '&&', severity: 'error', fixed: 'true and false' },
  { source: 'plan == "pro"', code: 'bare-name', at: 'plan', severity: 'error', fixed: 'properties["plan"] == "pro"' },
  { source: '1 + null', code: 'null-literal', at: 'null', severity: 'error' },

  // The types of filters and sums
  { source: 'properties["amount"]', code: 'never-true', at: 'properties["amount"]', options: knownFilter },
  { source: 'properties["plan"] and true', code: 'never-true', at: 'properties["plan"]', options: known },
  { source: 'string(1)', code: 'never-number', at: 'string(1)', options: { use: 'number' } },
];

describe('check (section 6 of the language)', () => {
  it.each(SECTION_6)('reports $code for $source', ({ source, code, at, severity = 'warning', fixed, options }) => {
    const { ok, diagnostics } = check(source, options);
    const found = diagnostics.filter((diagnostic) => diagnostic.code === code);
    expect(found.map(({ span }) => source.slice(span.start, span.end))).toEqual([at]);
    expect(found[0]?.severity).toBe(severity);
    expect(ok).toBe(diagnostics.every((diagnostic) => diagnostic.severity === 'warning'));
    const fix = found[0]?.fix;
    expect(fix && source.slice(0, fix.span.start) + fix.text + source.slice(fix.span.end)).toBe(fixed);
  });

  it.each([
    ['1 < 2 < 3 < now', ['1 < 2 < 3 < now']],
    ['(3 > now > 1) == (1 < now < 3)', ['3 > now > 1', '1 < now < 3']],
    ['1 < (3 > now > 1) < 4', ['1 < (3 > now > 1) < 4', '3 > now > 1']],
    ['1 < 2 < 3 and datetime(1) < now < 4', ['1 < 2 < 3', 'datetime(1) < now < 4']],
  ])('reports each chain of comparisons in %s once', (source, chains) => {
    const chained = check(source).diagnostics.filter(({ code }) => code === 'chained-comparison');
    expect(chained.map(({ span }) => source.slice(span.start, span.end))).toEqual(chains);
  });

  it('suggests the nearest name, but none if two are equally near', () => {
    const names = { properties: { cat: { types: ['string'] }, bat: { types: ['string'] } } } as const;
    const [tie] = check('properties["rat"] == "x"', { schema: names }).diagnostics;
    expect([tie?.code, tie?.help, tie?.fix]).toEqual(['unknown-property', undefined, undefined]);
    const [near] = check('properties["bats"] == "x"', { schema: names }).diagnostics;
    expect(near?.help).toContain('"bat"');
  });

  it('suggests names for the first ten unknown properties only', () => {
    const source = Array.from({ length: 12 }, (_, index) => `defined(properties["amount${index}"])`).join(' and ');
    const helped = check(source, known).diagnostics.map(({ help }) => help !== undefined);
    expect(helped).toEqual(Array.from({ length: 12 }, (_, index) => index < 10));
  });

  it('reports an operation that is always undefined once, and not the comparison around it', () => {
    const codes = (source: string) => check(source, known).diagnostics.map(({ code }) => code);
    expect(codes('1 / 0 == properties["amount"]')).toEqual(['no-value']);
    expect(codes('properties["plan"] in [1] or 1 / 0 != "a"')).toEqual(['never-equal', 'no-value']);
  });
});

describe('checkTree', () => {
  it('lists the properties of events and users without duplicates, in source order', () => {
    fc.assert(
      fc.property(expressions(4), (tree) => {
        const read = [...walk(tree)].filter((node) => node.kind === 'property');
        const names = read.map(({ scope, name }) => JSON.stringify([scope === 'user' ? 'user' : 'properties', name]));
        const listed = checkTree('', tree, 'value').properties.map(({ scope, name }) => JSON.stringify([scope, name]));
        expect(listed).toEqual([...new Set(names)]);
      }),
    );
  });
});

describe('the diagnostic of an unknown value', () => {
  it.each([
    ['properties["tier"] == "por"', '"por" is not a known value of "tier".', 'Did you mean "pro"?'],
    ['properties["tier"] == "gold"', '"gold" is not a known value of "tier".', 'Its values are "free", "pro", "team".'],
    ['8 in properties["labels"]', '8 is not a known value of "labels".', 'Its values are "new", "sale", 7.'],
  ])('suggests known values for %s', (source, message, help) => {
    expect(check(source, known).diagnostics).toMatchObject([{ message, help }]);
  });

  it('lists a hundred known values and counts the others', () => {
    const values = Array.from({ length: 1234 }, (_, index) => index);
    const { diagnostics } = check('properties["n"] == -1', {
      schema: { properties: { n: { types: ['number'], values } } },
    });
    expect(diagnostics[0]?.help).toMatch(/^Its values are 0, 1, .*, 99 and 1,134 others\.$/);
  });
});

describe('check', () => {
  it.each<[string, CheckOptions?]>([
    ['properties["a"] == "pro" and properties["b"] > 1'],
    ['properties["a"] < "2025-01-01"'],
    ['(properties["a"] < 1) == true'],
    ['1 < properties["a"] and properties["a"] < 3'],
    ['properties["a"] == properties["b"]'],
    ['not properties["a"]', filter],
    ['properties["a"]', filter],
    ['boolean(properties["plan"])', knownFilter],
    ['properties["paid"] and properties["amount"] + 1 > user["age"]', knownFilter],
    ['"a" in properties["tags"] or properties["plan"] in ["pro", "team"]', knownFilter],
    ['properties["tier"] != "pro" and properties["tier"] in ["free", "team"]', knownFilter],
    ['"ro" in properties["tier"] and properties["tier"] < "q" and properties["tier"] + "!" == "pro!"', knownFilter],
    ['"new" in properties["labels"] or 7 in properties["labels"]', knownFilter],
    ['properties["tier"] == properties["plan"]', knownFilter],
    ['properties["code"] == "a" or properties["code"] == 1', knownFilter],
    ['properties["amount"] == properties["gone"]', knownFilter],
    ['event["amount"] + event["amount"]', { schema, use: 'number' }],
    ['properties["anything"] == 1', { schema: { user: {} } }],
    ['properties["a"] - datetime("2025-01-01")', { use: 'number' }],
  ])('reports nothing for %s', (source, options) => {
    const { diagnostics } = check(source, options);
    // Undefined equals undefined, so two properties that can both be missing can be equal.
    expect(diagnostics).toEqual([]);
  });
});

describe('the static types', () => {
  const every = [...TYPE_NAMES];
  it.each<[string, readonly TypeName[]]>([
    ['properties["a"]', every],
    ['"a"', ['string']],
    ['1', ['number']],
    ['true', ['boolean']],
    ['now', ['number']],
    ['1 / 0', ['undefined']],
    ['properties["a"] - 1', ['number', 'undefined']],
    ['properties["a"] + "x"', ['string', 'undefined']],
    ['properties["a"] + properties["b"]', ['string', 'number', 'undefined']],
    ['properties["a"] == 1', ['boolean']],
    ['properties["a"] < 1', ['boolean', 'undefined']],
    ['properties["a"] in [1]', ['boolean']],
    ['properties["a"] and properties["b"]', ['boolean']],
    ['not properties["a"]', ['boolean', 'undefined']],
    ['string(properties["a"])', ['string', 'null', 'undefined']],
    ['number(properties["a"])', ['number', 'undefined']],
    ['boolean(properties["a"])', ['boolean', 'undefined']],
    ['defined(properties["a"])', ['boolean']],
    ['datetime(properties["a"])', ['number', 'undefined']],
    ['properties["a"] < datetime("2025-01-01")', ['boolean', 'undefined']],
  ])('of %s are %j', (source, types) => {
    expect(check(source).types).toEqual(types);
  });

  it.each<[string, readonly TypeName[]]>([
    ['properties["plan"]', ['string', 'undefined']],
    ['event["plan"]', ['string', 'undefined']],
    ['user["age"]', ['number', 'undefined']],
    ['properties["code"]', ['string', 'number', 'undefined']],
    ['properties["amount"] + 1', ['number', 'undefined']],
    ['properties["unknown"]', every],
    ['"a" in properties["tags"]', ['boolean', 'undefined']],
    ['string(properties["amount"])', ['string', 'undefined']],
  ])('of %s with a schema are %j', (source, types) => {
    expect(check(source, known).types).toEqual(types);
  });
});
