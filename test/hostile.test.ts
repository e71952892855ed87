import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, compile, evaluate, format } from '../src/api/expressions.ts';
import { ExpressionError } from '../src/lang/errors.ts';
import { renderDiagnostics } from '../src/lang/render.ts';
import { type ParseOptions, tryParse } from '../src/lang/syntax/parse.ts';
import { sources } from './arbitraries.ts';
import { codePoint } from './code-point.ts';
import { IN_FULL, runs } from './runs.ts';

/** In CI, just below the limit on the length of a source. */
const LENGTH = IN_FULL ? 60_000 : 2_000;

/** Checks that a source has types or at least one diagnostic within the source, and that nothing throws. */
function expectResult(source: string, options?: ParseOptions): void {
  const checked = check(source, { use: 'where', ...options });
  const isTree = checked.types.length > 0;
  expect(isTree || checked.diagnostics.length > 0, source.slice(0, 200)).toBe(true);
  expect(checked.ok).toBe(checked.diagnostics.every(({ severity }) => severity === 'warning'));
  const spans = checked.diagnostics.flatMap(({ span, fix }) => (fix ? [span, fix.span] : [span]));
  const outside = spans.filter(({ start, end }) => !(0 <= start && start <= end && end <= source.length));
  expect(outside, source.slice(0, 200)).toEqual([]);
  expect(renderDiagnostics(source, checked.diagnostics)).toBeTypeOf('string');
}

function fill(piece: string): string {
  return piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
}

describe('check returns a result for a long source', () => {
  it.each([
    ...'()[]{}<>=!&|+-*/%.,;:?@#$^~`\'"\\_“‘1aé \t\n\r\0\u00a0\u{1f600}',
    ...['[(', '([)', '()', ')(', '[[', '(]', '"\\', '"\\u', '""', '"\n', '\'"', '“a', '“‘', '\ud800', '"\ud800"'],
    ...[
      'a.',
      'x(',
      'x[',
      'x(1) ',
      'flor(',
      'floor(',
      'properties[',
      'properties["a"',
      'properties["a"]',
      'properties.a',
    ],
    ...['/*', '//\n', '= ', '&&', '! ', '1 ', '1.', '1e+', '"a" ', 'a ', 'null ', 'contains ', 'a@', '1\n', 'now()'],
    ...['- ', '1+', '1<', 'not ', 'and ', 'and or ', '= and ', '1 and ', 'in ', '1 in ', '1 in [', ', ', '1,'],
    ...['1 - "a" or ', '1 - "a" or\n', '"a" == 1 and ', '"\\x" and ', 'x not in '],
  ])('that repeats %j', (piece) => {
    expectResult(fill(piece));
  });
});

describe('check returns a result', () => {
  const half = LENGTH / 2;
  it.each([
    ['digits before a letter', `${fill('1')}a`],
    ['digits before dots', `${fill('1')}..`],
    ['digits before an exponent without digits', `${fill('1')}e`],
    ['a fraction before a letter', `.${fill('1')}a`],
    ['an exponent before a letter', `1e${fill('1')}a`],
    ['a string', `"${fill('a')}"`],
    ['a string of escapes', `"${fill('\\n')}"`],
    ['a string of wrong escapes', `"${fill('\\d')}"`],
    ['an open string', `"${fill('a')}`],
    ['an open string of backslashes', `"${fill('\\a')}`],
    ['a property name', `properties["${fill('a')}"]`],
    ['a bare name', fill('a')],
    ['the name of a function', `${fill('a')}(1)`],
    ['the name of a source', `${fill('a')}["b"]`],
    ['the name of an operator', `1 ${fill('a')} 1`],
    ['a dotted name', `a${fill('.a')}`],
    ['a list of numbers', `1 in [${fill('1,')}1]`],
    ['a list of strings', `1 in [${'"",'.repeat(LENGTH / 3)}1]`],
    ['a list without commas', `1 in [${fill('1 ')}]`],
    ['strings in a property', `properties[${fill('""')}]`],
    ['numbers in a property', `properties["a"${fill(' 1')}]`],
    ['strings in parentheses', `(${fill('""')})`],
    ['nested parentheses', '('.repeat(half) + ')'.repeat(half)],
    ['nested brackets', '['.repeat(half) + ']'.repeat(half)],
    ['parentheses closed by brackets', '('.repeat(half) + ']'.repeat(half)],
    ['nested calls of an unknown name', 'x('.repeat(half / 2) + ')'.repeat(half / 2)],
    ['nested calls of a misspelt function', 'flor('.repeat(half / 5) + ')'.repeat(half / 5)],
    ['a chain', `${'true and '.repeat(LENGTH / 10)}true`],
    ['a chain of type errors', `${'1 or '.repeat(LENGTH / 6)}true`],
    ['many deep operands', `${`${'('.repeat(250)}1${')'.repeat(250)} or `.repeat(110)}1`],
    ['chained comparisons of long strings', `${`"${'a'.repeat(200)}" < `.repeat(250)}1`],
  ])('for a long source: %s', (_, source) => {
    expectResult(source);
  });
});

describe('check reports unknown properties', () => {
  const known = (names: readonly string[]) => ({
    schema: { properties: Object.fromEntries(names.map((name) => [name, { types: ['string'] as const }])) },
  });
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

  it.each([
    {
      what: 'many',
      options: known(numbers(2_000).map((number) => `property_number_${number}`)),
      names: numbers(500).map((number) => `prxpertx_numbex_${number}`),
    },
    {
      what: 'long',
      options: known(['a'.repeat(8_000)]),
      names: ['b', 'c', 'd'].map((letter) => letter.repeat(8_000)),
    },
  ])('with $what names', ({ options, names }) => {
    const source = names.map((name) => `properties["${name}"] == "x"`).join(' or ');
    const codes = check(source, options).diagnostics.map(({ code }) => code);
    expect(codes).toContain('unknown-property');
  });
});

describe('beyond the limits', () => {
  const many = IN_FULL ? 1_000_000 : 100_000;
  const limits = { length: 5 * many };

  it.each([
    ['parentheses', '('.repeat(many)],
    ['words', 'not '.repeat(many)],
    ['words before a value', `${'not '.repeat(many)}true`],
  ])('hundreds of thousands of %s are a syntax error', (_, source) => {
    const [first, ...more] = tryParse(source).diagnostics ?? [];
    expect([first?.code, more.length]).toEqual(['source-too-long', 0]);
    expect(['too-deep', 'missing-operand']).toContain(tryParse(source, { limits }).diagnostics?.[0]?.code);
  });

  it('a string of hundreds of thousands of characters is evaluated', () => {
    expect(evaluate(`"${'a'.repeat(many)}"`, {}, undefined, { limits })).toHaveLength(many);
    expectResult(`"${'\\n'.repeat(2 * many)}`, { limits });
  });

  const depth = 400;
  it.each([
    ['parentheses', `${'('.repeat(depth)}properties["a"]${')'.repeat(depth)}`],
    ['calls', `${'floor('.repeat(depth)}properties["a"]${')'.repeat(depth)}`],
    ['prefix operators', `${'-'.repeat(depth)}properties["a"]`],
    ['operators', `${'1+'.repeat(depth)}properties["a"]`],
    ['chains', `${'true and ('.repeat(depth / 2 - 1)}properties["a"] == 1${')'.repeat(depth / 2 - 1)}`],
  ])('the maximum depth of %s is evaluated and formatted', (_, source) => {
    // Indentation makes the formatted source longer.
    const options = { limits: { depth, length: 600_000 } };
    expect(check(source, options).ok).toBe(true);
    expect(compile(source, options)({ a: 1 })).toEqual(evaluate(source, { a: 1 }, undefined, options));
    expect(format(format(source, options), options)).toBe(format(source, options));
  });
});

describe('on a nearly full stack', () => {
  /** Calls a function below some other calls. */
  const runBelow = <Result>(frames: number, run: () => Result): Result =>
    frames === 0 ? run() : runBelow(frames - 1, run);

  it.each([0, 2_000, 4_000, 6_000])('check returns a result below %d calls', (frames) => {
    const source = `${'floor('.repeat(399)}1${')'.repeat(399)}`;
    const { ok, diagnostics } = runBelow(frames, () => check(source, { limits: { depth: 400 } }));
    expect(ok || diagnostics[0]?.code === 'too-deep').toBe(true);
    expect(check('1 + 1').ok).toBe(true);
  });
});

/** Splits a source into words, strings, white space and single symbols. */
function splitTokens(source: string): string[] {
  return source.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\w+|\s+|[\s\S]/gu) ?? [];
}

const SYNTAX = [
  ...[
    'and',
    'or',
    'not',
    'in',
    'now',
    'true',
    'properties',
    'user',
    'floor',
    'datetime',
    'null',
    'x',
    '1',
    '.5',
    '1e',
    '"a"',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    ',',
    '-',
    '+',
    '*',
    '==',
    '=',
    '<',
    '!',
    '&&',
    '.',
    '"',
    "'",
    '\\',
    '“',
    '#',
    '//',
    ' ',
    '\n',
    '@',
  ],
];

/** Valid sources with tokens deleted, inserted, repeated and swapped. */
const mutations: Arbitrary<string> = fc
  .tuple(sources, fc.array(fc.tuple(fc.nat(3), fc.nat(), fc.constantFrom(...SYNTAX)), { minLength: 1, maxLength: 4 }))
  .map(([{ source }, changes]) => {
    const tokens = splitTokens(source);
    for (const [change, seed, token] of changes) {
      const at = seed % (tokens.length + 1);
      if (change === 0) tokens.splice(at, 1);
      else if (change === 1) tokens.splice(at, 0, token);
      else if (change === 2) tokens.splice(at, 0, ...tokens.slice(at, at + 2));
      else tokens.splice(at, 2, ...tokens.slice(at, at + 2).toReversed());
    }
    return tokens.join('');
  });

describe('random sources', () => {
  it.each<[string, Arbitrary<string>]>([
    ['bytes', fc.uint8Array({ maxLength: 60 }).map((bytes) => String.fromCharCode(...bytes))],
    ['UTF-16 units', fc.array(fc.nat(0xffff), { maxLength: 30 }).map((units) => String.fromCharCode(...units))],
    ['characters', fc.string({ unit: codePoint, maxLength: 40 })],
    ['tokens', fc.array(fc.constantFrom(...SYNTAX), { maxLength: 30 }).map((tokens) => tokens.join(''))],
    [
      'tokens between spaces',
      fc.array(fc.constantFrom(...SYNTAX), { maxLength: 30 }).map((tokens) => tokens.join(' ')),
    ],
    ['mutations of valid sources', mutations],
  ])('of %s have a result', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (source) => expectResult(source)),
      { numRuns: runs(3_000) },
    );
  });

  it('raise only errors about the expression', () => {
    fc.assert(
      fc.property(mutations, (source) => {
        for (const run of [() => compile(source)({}), () => evaluate(source, {}), () => format(source)]) {
          try {
            run();
          } catch (error) {
            expect(error, source).toBeInstanceOf(ExpressionError);
          }
        }
      }),
      { numRuns: runs(1_000) },
    );
  });
});
