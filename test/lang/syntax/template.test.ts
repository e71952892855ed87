import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/api/expressions.ts';
import type { Expression } from '../../../src/lang/ast.ts';
import { ExpressionSyntaxError } from '../../../src/lang/errors.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import { expression, property, quote, subexpression, type TemplateValue } from '../../../src/lang/syntax/template.ts';
import { expressions } from '../../arbitraries.ts';
import { codePoint } from '../../code-point.ts';
import { runs } from '../../runs.ts';

/** Values that try to change the structure of a filter. */
const ATTACKS = [
  ...[
    '" or true or "',
    "' or true or '",
    '"',
    "'",
    '\\',
    '\\"',
    '\\\\"',
    '") or ("',
    ']',
    '"] or properties["',
    '\n',
    '\r\n',
  ],
  ...[
    'or true',
    'true',
    'null',
    'now',
    'properties["a"]',
    '1 or 1',
    '-1',
    '// ',
    '#',
    '“',
    '\u2028',
    '\u0000',
    '$',
    '{1}',
    '[',
    ',',
  ],
  ...['\u{1f600}', '\uffff', '\u202e', '__proto__', 'constructor', ''],
];

const text: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.array(fc.constantFrom(...ATTACKS), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: codePoint, maxLength: 20 }),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(-0, 1e21, 5e-324, -1e308),
);
const scalar: Arbitrary<string | number | boolean> = fc.oneof(text, number, fc.boolean());

/** Returns a tree as plain data without its spans. */
function shape(tree: Expression): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value) => (key === 'span' ? undefined : value)));
}

/** Returns a value as a tree. A negative number is `-` before a positive one. */
function treeOf(value: string | number | boolean): unknown {
  if (typeof value === 'number' && value < 0) return { kind: 'prefix', operator: '-', operand: treeOf(-value) };
  return { kind: 'literal', value: value === 0 ? 0 : value };
}

function itemOf(value: string | number | boolean): unknown {
  return { kind: 'literal', value: value === 0 ? 0 : value };
}

const a = { kind: 'property', scope: 'properties', name: 'a' };

describe('a value in a template', () => {
  it('is exactly one literal in every place for an operand', () => {
    fc.assert(
      fc.property(scalar, (value) => {
        const expected = treeOf(value);
        const places = [
          [expression`${value}`, expected],
          [expression`properties["a"]==${value}`, { kind: 'binary', operator: '==', left: a, right: expected }],
          [expression`${value}+properties["a"]`, { kind: 'binary', operator: '+', left: expected, right: a }],
          [expression`properties["a"]-${value}`, { kind: 'binary', operator: '-', left: a, right: expected }],
          [expression`(${value})`, expected],
          [expression`string(${value})`, { kind: 'call', operator: 'string', operand: expected }],
          [expression`not ${value}`, { kind: 'prefix', operator: 'not', operand: expected }],
          [expression`${value} in ${value}`, { kind: 'binary', operator: 'in', left: expected, right: expected }],
        ] as const;
        for (const [source, tree] of places) expect(shape(parse(source)), source).toEqual(tree);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('is exactly one list if it is an array', () => {
    fc.assert(
      fc.property(fc.array(scalar, { maxLength: 6 }), scalar, (values, value) => {
        const items = values.map(itemOf);
        const list = expression`properties["a"] in ${values} and true`;
        const membership = { kind: 'membership', operator: 'in', operand: a, items };
        expect(shape(parse(list))).toEqual({ kind: 'logical', operator: 'and', operands: [membership, treeOf(true)] });
        const item = expression`properties["a"] in [${value}, ${value}]`;
        expect(shape(parse(item))).toEqual({ ...membership, items: [itemOf(value), itemOf(value)] });
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('is exactly one property, whatever its name', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('properties' as const, 'event' as const, 'user' as const), (name, scope) => {
        const source = expression`${property(name, scope)} == 1 or ${property(name)} in ${property(name)}`;
        const [read, plain] = [
          { kind: 'property', scope, name },
          { kind: 'property', scope: 'properties', name },
        ];
        const first = { kind: 'binary', operator: '==', left: read, right: treeOf(1) };
        const second = { kind: 'binary', operator: 'in', left: plain, right: plain };
        expect(shape(parse(source))).toEqual({ kind: 'logical', operator: 'or', operands: [first, second] });
        expect(compile(expression`${property(name)}`)(Object.fromEntries([[name, 'here']]))).toBe('here');
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('is exactly one operand if it is a subexpression', () => {
    fc.assert(
      fc.property(expressions(3), (tree) => {
        const value = subexpression(print(tree));
        const parsed = shape(parse(expression`not ${value} == (1 + ${value} * ${value})`));
        const product = { kind: 'binary', operator: '*', left: shape(tree), right: shape(tree) };
        const sum = { kind: 'binary', operator: '+', left: treeOf(1), right: product };
        const isTime = tree.kind === 'call' && tree.operator === 'datetime';
        const comparison = {
          kind: isTime ? 'timeComparison' : 'binary',
          operator: '==',
          left: shape(tree),
          right: sum,
        };
        expect(parsed).toEqual({ kind: 'prefix', operator: 'not', operand: comparison });
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('evaluates to itself', () => {
    fc.assert(
      fc.property(scalar, (value) => {
        expect(compile(quote(value))({})).toBe(value === 0 ? 0 : value);
        expect(compile(expression`properties["a"] in ${[value]}`)({ a: value })).toBe(true);
      }),
    );
  });
});

describe('a template refuses a value', () => {
  const VALUES: readonly TemplateValue[] = [
    5,
    -5,
    'x',
    '" or true or "',
    "'",
    true,
    ['a'],
    property('a'),
    subexpression('1 or true'),
    subexpression('now'),
  ];

  it.each<[string, (value: TemplateValue) => string]>([
    ['in double quotes', (value) => expression`properties["a"] == "${value}"`],
    ['in single quotes', (value) => expression`properties["a"] == '${value}'`],
    ['in quotes with other characters', (value) => expression`"a ${value} b" == "c"`],
    ['after a backslash in quotes', (value) => expression`"\\${value}" == "c"`],
    ['in the quotes of a name', (value) => expression`properties["${value}"]`],
    ['in curly quotes', (value) => expression`“${value}”`],
    ['after a digit', (value) => expression`1${value}`],
    ['after a decimal point', (value) => expression`1.${value}`],
    ['after properties', (value) => expression`properties${value}`],
    ['after user and a space', (value) => expression`user ${value}`],
    ['after a function', (value) => expression`floor${value}`],
    ['after a function and a space', (value) => expression`floor ${value}`],
    ['in place of an operator', (value) => expression`1 ${value} 2`],
    ['after an operand', (value) => expression`true ${value}`],
    ['after a closing parenthesis', (value) => expression`(true) ${value}`],
    ['after a property', (value) => expression`properties["a"] ${value}`],
    ['after another value', (value) => expression`${1}${value}`],
    ['in a comment', (value) => expression`true // ${value}`],
  ])('%s', (_, template) => {
    for (const value of VALUES) expect(() => template(value), String(JSON.stringify(value))).toThrow(TypeError);
  });

  // A quote, a minus or a parenthesis is not joined to a word, but the result is not an expression.
  it.each<[string, (value: TemplateValue) => string]>([
    ['after a word of the language', (value) => expression`true and${value} or tru${value}`],
    ['after a name', (value) => expression`x${value}`],
    ['before a letter', (value) => expression`${value}x`],
    ['after an exponent', (value) => expression`1e-${value}`],
  ])('%s', (_, template) => {
    for (const value of VALUES) expect(() => template(value), JSON.stringify(value)).toThrow();
    for (const value of [5, true]) expect(() => template(value), JSON.stringify(value)).toThrow(TypeError);
  });

  it.each([5, 1.5, 1e21])('before a digit, a decimal point or an exponent: %d', (value) => {
    expect(() => expression`${value}0`).toThrow(TypeError);
    expect(() => expression`${value}.5`).toThrow(TypeError);
    expect(() => expression`${value}e5`).toThrow(TypeError);
  });

  it('as the argument of a function without parentheses', () => {
    expect(() => expression`floor ${subexpression('1 + 2')}`).toThrow(TypeError);
    expect(expression`floor(${subexpression('1 + 2')})`).toBe('floor((1 + 2))');
  });
});

describe('quote, property and subexpression', () => {
  const VALUES: readonly unknown[] = [
    ...[null, undefined, Number.NaN, Infinity, -Infinity, 10n, Symbol('s'), () => 1],
    ...[
      '\ud800',
      'a\udfff',
      '\ude00\ud83d',
      [null],
      [undefined],
      ['a', Number.NaN],
      ['\ud800'],
      [['a']],
      [{}],
      new Array(1),
    ],
    ...[{}, { kind: 'unheard of' }, new Date(0), Object('text'), new Map()],
  ];

  it.each(VALUES.map((value) => [value] as const))('refuse %s, which has no literal', (value) => {
    expect(() => quote(value as TemplateValue)).toThrow(TypeError);
    expect(() => expression`${value as TemplateValue}`).toThrow(TypeError);
    expect(() => expression`true and ${value as TemplateValue}(false)`).toThrow(TypeError);
    expect(() => expression`not ${value as TemplateValue}true`).toThrow(TypeError);
    expect(() => expression`-${value as TemplateValue}${1}`).toThrow(TypeError);
  });

  it('refuse a name with a lone surrogate, and an unknown scope', () => {
    expect(() => property('\ud800')).toThrow(TypeError);
    expect(() => property('a', 'true or properties' as 'user')).toThrow(TypeError);
    expect(() => property('a', 'toString' as 'user')).toThrow(TypeError);
  });

  it('refuse a subexpression that is not an expression', () => {
    for (const source of ['', '1 +', '1) or (1', 'true or', '"', '//']) {
      expect(() => subexpression(source)).toThrow(ExpressionSyntaxError);
    }
  });

  it.each<[string, unknown]>([
    ['nothing', { kind: 'property', scope: 'properties', name: 'a' }],
    ['scope', { kind: 'property', scope: 'true or properties', name: 'a' }],
    ['name', { kind: 'property', scope: 'properties', name: ['a'] }],
    ['value', { kind: 'literal', value: ['1 or true'] }],
    ['value with a toString method', { kind: 'literal', value: { toString: () => '1 or true' } }],
    ['number', { kind: 'literal', value: Number.NaN }],
    ['operator', { kind: 'prefix', operator: 'true or', operand: { kind: 'now' } }],
    ['function', { kind: 'call', operator: 'true) or (', operand: { kind: 'now' } }],
    [
      'item',
      {
        kind: 'membership',
        operator: 'in',
        operand: { kind: 'now' },
        items: [{ kind: 'literal', value: ['1] or true or 1 in [1'] }],
      },
    ],
    ['nothing', { kind: 'property', scope: 'user', name: 'a' }],
  ])('refuse parsed JSON that looks like a tree, with a forged %s', (_, forged) => {
    expect(() => expression`false and ${forged as TemplateValue}`).toThrow(TypeError);
    expect(() => expression`1 in ${[forged] as unknown as TemplateValue}`).toThrow(TypeError);
  });
});

describe('a template', () => {
  it('throws a syntax error if its result is not an expression', () => {
    expect(() => expression`${1} +`).toThrow(ExpressionSyntaxError);
    expect(() => expression`1 == ${['a']}`).toThrow(ExpressionSyntaxError);
    expect(() => expression``).toThrow(ExpressionSyntaxError);
  });
});
