import { describe, expect, it } from 'vitest';
import { DIAGNOSTIC_CODES } from '../../scripts/diagnostics/examples.ts';
import { type CheckOptions, check } from '../../src/api/expressions.ts';
import { findRelations } from '../../src/api/relate.ts';
import { isWellFormed } from '../../src/base/strings.ts';
import type { Diagnostic, DiagnosticCode, Fix } from '../../src/lang/diagnostic.ts';

/** A source, the source under the span, the source with the fix applied if there is one, and options for `check`. */
type Row = readonly [
  code: DiagnosticCode,
  source: string,
  at: string,
  fixed?: string | undefined,
  options?: CheckOptions,
];

const filter: CheckOptions = { use: 'where' };
const schema: CheckOptions = { schema: { properties: { plan: { types: ['string'] } } } };
const values: CheckOptions = { schema: { properties: { plan: { types: ['string'], values: ['free', 'pro'] } } } };
const related: CheckOptions = { use: 'where', relations: findRelations };
const small: CheckOptions = { limits: { length: 10, depth: 2 } };

// biome-ignore format: a table, to be read by its rows
const ROWS: readonly Row[] = [
  ['source-too-long', '1 + 2 + 3 + 4', '+ 4', undefined, { limits: { length: 10 } }],
  ['too-deep', '((((1))))', '(', undefined, small],
  ['too-deep', '----1', '---1', undefined, small],

  ['unexpected-character', '1 @ 2', '@'],
  ['unexpected-character', 'true \u00a0and true', '\u00a0'],
  ['unclosed-string', 'properties["plan"] == "pro', '"pro'],
  ['unclosed-string', '"a\nb" == 1', '"a'],
  ['invalid-escape', '"a\\d" == "b"', '\\d'],
  ['invalid-escape', '"\\u12" == "b"', '\\u'],
  ['lone-surrogate', '1 == "\\ud800"', '"\\ud800"'],
  ['lone-surrogate', 'properties["\\ud800"]', '"\\ud800"'],
  ['malformed-number', '1.2.3', '1.2.3'],
  ['malformed-number', '1 == 12px', '12px'],
  ['malformed-number', '5and true', '5and'],
  ['number-too-large', '1 < 1e400', '1e400'],
  ['curly-quotes', '“pro” == 1', '“pro”', '"pro" == 1'],
  ['grouped-digits', '1 < 1,000', '1,000', '1 < 1000'],
  ['doubled-quote', "1 == 'it''s'", "'it''s'", "1 == 'it\\'s'"],
  ['comment', 'true // always', '// always', 'true '],
  ['comment', '1 == 1 -- only one', '-- only one', '1 == 1 '],
  ['comment', '1 // 2 == 3', '// 2 == 3'],
  ['comment', '1 // properties["a"]', '// properties["a"]'],

  ['single-equals', '1 = 2', '=', '1 == 2'],
  ['foreign-operator', 'true&&false', '&&', 'true and false'],
  ['foreign-operator', '!(true)', '!', 'not (true)'],
  ['foreign-operator', '1 <> 2', '<>', '1 != 2'],
  ['foreign-operator', '1 === 2', '===', '1 == 2'],
  ['unknown-operator', 'true andd false', 'andd'],
  ['foreign-operator', 'properties["a"] contains "b"', 'contains', '"b" in properties["a"]'],
  ['no-equivalent', 'lower("a")', 'lower'],
  ['no-equivalent', '"a" like "%b"', 'like'],
  ['conditional', 'true ? 1 : 2', '?'],
  ['conditional', 'true ? 1 < 2 : 1 == 1', '?', '((true) and (1 < 2) or not (true) and (1 == 1))'],
  ['leading-word', 'where 1 == 1', 'where', '1 == 1'],
  ['not-in', '"a" not in "b"', 'not in', 'not "a" in "b"'],
  ['alternatives', '1 == (1 or 2)', '1 or 2', '1 in [1, 2]'],
  ['alternatives', '1 != (1 or 2)', '1 or 2'],
  ['list-parentheses', '1 in (1, 2)', '(1, 2)', '1 in [1, 2]'],
  ['list-parentheses', '1 in (a, b)', '(a, b)'],
  ['bare-name', 'plan == "pro"', 'plan', 'properties["plan"] == "pro"'],
  ['bare-name', 'properties["plan"] == pro', 'pro'],
  ['bare-name', 'properties["plan"] == (pro)', 'pro'],
  ['bare-name', 'properties["plan"] in ((pro))', 'pro'],
  ['bare-name', '5 < (pro)', 'pro', '5 < (properties["pro"])'],
  ['null-literal', 'properties["a"] == NULL', 'NULL', 'not defined(properties["a"])'],
  ['null-literal', '1 + null', 'null'],
  ['event-name', 'event == "a"', 'event'],
  ['called-property', 'user("a")', 'user("a")', 'user["a"]'],
  ['unknown-function', 'flor(1)', 'flor'],
  ['unknown-function', 'str(1)', 'str', 'string(1)'],
  ['unknown-function', 'today(1)', 'today'],
  ['unknown-source', 'property["a"]', 'property', 'properties["a"]'],
  ['unknown-source', 'group["a"]', 'group'],
  ['dotted-property', 'properties.plan == 1', 'properties.plan', 'properties["plan"] == 1'],
  ['property-name', 'properties[plan] == 1', 'plan', 'properties["plan"] == 1'],
  ['nested-property', 'properties["a"]["b"]', '["b"]'],
  ['needless-parentheses', '1 < now()', '()', '1 < now'],
  ['needless-parentheses', 'true()and false', '()', 'true and false'],

  ['empty-expression', '', ''],
  ['empty-expression', ' \n', ' \n'],
  ['missing-operand', '1 +', ''],
  ['missing-operand', '1 + * 2', '*'],
  ['missing-operator', 'true false', 'false'],
  ['missing-parenthesis', 'floor 1', 'floor'],
  ['missing-bracket', 'properties == 1', 'properties'],
  ['several-operands', 'floor(1, 2)', ','],
  ['missing-comma', '1 in [1 2]', '2', '1 in [1, 2]'],
  ['misplaced-comma', '1, 2', ','],
  ['unclosed-bracket', '(1 + 2', '('],
  ['unclosed-bracket', 'properties["a" == 1', '[', 'properties["a"] == 1'],
  ['unmatched-bracket', '1 + 2)', ')'],
  ['trailing-comma', '1 in [1, 2,]', ',', '1 in [1, 2]'],
  ['misplaced-list', '1 == [1]', '['],
  ['misplaced-list', '1 in [1] + 2', '[1]'],
  ['list-item', '1 in [now]', 'now'],
  ['misplaced-not', '1 == not true', 'not'],

  ['operand-type', '5 and true', '5'],
  ['operand-type', 'now == 1 or 2', '2', 'now == 1 or now == 2'],
  ['filter-type', '5', '5', undefined, filter],
  ['always-undefined', '1 + "a"', '1 + "a"'],
  ['no-value', '1 / 0', '1 / 0'],
  ['never-equal', '1 == "1"', '1 == "1"'],
  ['chained-comparison', '1 < 2 < 3', '1 < 2 < 3', '(1 < 2 and 2 < 3)'],
  ['text-order', 'properties["a"] < "10"', '"10"'],
  ['date-arithmetic', 'datetime(2025-06-01)', '2025-06-01', 'datetime("2025-06-01")'],
  ['milliseconds', 'properties["time"] < 1750000000000', '1750000000000', 'properties["time"] < 1750000000'],
  ['milliseconds', '2.5e12 >= user["$time"]', '2.5e12', '2500000000 >= user["$time"]'],
  ['date-text', 'now > "2025-06-01"', '"2025-06-01"', 'now > datetime("2025-06-01")'],
  ['swapped-in', 'event["plan"] in "sale"', 'event["plan"] in "sale"'],
  ['unknown-property', 'event["plam"]', 'event["plam"]', undefined, schema],
  ['unknown-property', 'event["PLAN"]', 'event["PLAN"]', 'event["plan"]', schema],
  ['unknown-value', 'event["plan"] == "por"', '"por"', undefined, values],
  ['unknown-value', 'event["plan"] == "Pro"', '"Pro"', 'event["plan"] == "pro"', values],
  ['never-true', 'properties["plan"]', 'properties["plan"]', undefined, { ...schema, ...filter }],
  ['never-number', '"a"', '"a"', undefined, { use: 'number' }],
  ['never-true', 'user["a"] > 2 and user["a"] < 1', 'user["a"] > 2 and user["a"] < 1', undefined, related],
  ['always-true', 'user["a"] != 1 or user["a"] != 2', 'user["a"] != 1 or user["a"] != 2', undefined, related],
  ['redundant-condition', 'now > 1 and now > 2', 'now > 1', 'now > 2', related],
  ['unreachable-condition', 'now > 3 and (now < 2 or user["a"])', 'now < 2', undefined, related],
];

const WARNINGS = [
  ...['always-undefined', 'no-value', 'never-equal', 'chained-comparison', 'text-order'],
  ...[
    'milliseconds',
    'date-arithmetic',
    'date-text',
    'swapped-in',
    'unknown-property',
    'unknown-value',
    'never-true',
    'never-number',
  ],
  ...['always-true', 'redundant-condition', 'unreachable-condition'],
];

function diagnosticsOf(source: string, code: DiagnosticCode, options?: CheckOptions): Diagnostic[] {
  return check(source, options).diagnostics.filter((diagnostic) => diagnostic.code === code);
}

function applyFix(source: string, { span, text }: Fix): string {
  return source.slice(0, span.start) + text + source.slice(span.end);
}

const cases = ROWS.map(([code, source, at, fixed, options]) => ({ code, source, at, fixed, options }));

describe('the diagnostics', () => {
  it('have an example each, except for those that only engines and translations report', () => {
    const examples = cases.map(({ code }) => code);
    expect(new Set([...examples, 'unsupported', 'untranslatable'])).toEqual(new Set(DIAGNOSTIC_CODES));
  });

  it.each(cases)('report $code for $source', ({ code, source, at, fixed, options }) => {
    const [found, ...more] = diagnosticsOf(source, code, options);
    expect(more).toEqual([]);
    expect(found && source.slice(found.span.start, found.span.end)).toBe(at);
    expect(Object.keys(found?.span ?? {}).sort()).toEqual(['end', 'start']);
    expect(found?.severity).toBe(WARNINGS.includes(code) ? 'warning' : 'error');
    expect(found?.message).toMatch(/^\S.*\.$/);
    expect(found?.fix && applyFix(source, found.fix)).toBe(fixed);
  });

  it.each(cases.filter(({ fixed }) => fixed !== undefined))(
    'report no $code once $source is fixed',
    ({ code, fixed, options }) => {
      expect(diagnosticsOf(String(fixed), code, options)).toEqual([]);
    },
  );

  it.each(cases)('are plain data for $code: $source', ({ source, options }) => {
    const { diagnostics } = check(source, options);
    expect(JSON.parse(JSON.stringify(diagnostics))).toStrictEqual(diagnostics);
  });
});

it.each(['1 +', '1 +\n', '(1 +\r\n\r\n'])(
  'a missing operand at the end of %j is reported after the last token',
  (source) => {
    const [found] = diagnosticsOf(source, 'missing-operand');
    expect(found?.span).toEqual({ start: source.trimEnd().length, end: source.trimEnd().length });
  },
);

describe('several mistakes in one source', () => {
  it.each<[source: string, codes: readonly DiagnosticCode[]]>([
    [
      'plan = "pro" && amount > 5px',
      ['bare-name', 'single-equals', 'foreign-operator', 'bare-name', 'malformed-number'],
    ],
    ['(1 + ) or floor 2 or [3]', ['missing-operand', 'missing-parenthesis', 'misplaced-list']],
    [
      'properties["a" == 1 and (user["b"] = "\\d"',
      ['unclosed-bracket', 'unclosed-bracket', 'single-equals', 'invalid-escape'],
    ],
    ['1 + @2 and 3 = 4 and true false', ['unexpected-character', 'single-equals', 'missing-operator']],
    ['5 and "a" and 1 < 2 < 3 and 1 == "1"', ['operand-type', 'operand-type', 'chained-comparison', 'never-equal']],
    ['1 in [1 2, now, ] and x not in "y"', ['missing-comma', 'list-item', 'trailing-comma', 'bare-name', 'not-in']],
    [
      '"\\x" == 1e999 and "\\ud800" == "\\y"',
      ['invalid-escape', 'number-too-large', 'lone-surrogate', 'invalid-escape'],
    ],
  ])('are all reported for %s', (source, codes) => {
    const { diagnostics } = check(source);
    expect(diagnostics.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
  });

  it('are reported in source order', () => {
    const { diagnostics } = check('plan = "pro" && amount > 5px or 1 @ 2');
    const starts = diagnostics.map(({ span }) => span.start);
    expect(starts).toEqual(starts.toSorted((left, right) => left - right));
  });
});

it('messages shorten what they quote from a long source', () => {
  for (const name of ['x'.repeat(50_000), '\u{1f600}'.repeat(25_000)]) {
    const sources = [
      ...[`${name} == 1`, `${name}(1)`, `${name}["a"] == 1`, `properties.${name} > 1`, `properties[${name}] == 1`],
      ...[`1 ${name} 2`, `1${name}`, `"\\${name}"`, `properties["${name}"] == 1`, `"${name}" > 1`, `"a" < "${name}"`],
      ...[`properties["plan"] == "${name}"`, `not ${name}`, `1 in [${name}]`, `’${name}’`],
    ];
    const quoting = sources.flatMap((source) => check(source, { ...values, use: 'where' }).diagnostics);
    expect(quoting.length).toBeGreaterThan(sources.length / 2);
    for (const { message, help = '' } of quoting) {
      expect(message.length + help.length).toBeLessThan(2_000);
      expect(isWellFormed(`${message} ${help}`)).toBe(true);
    }
  }
});
