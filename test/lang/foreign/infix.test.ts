import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NUMBERS_NOTE } from '../../../src/lang/foreign/infix-rules.ts';
import { translateCel, translateForeign, translateJavaScript } from '../../../src/lang/foreign/translate.ts';
import { describeNull } from '../../../src/lang/foreign/values.ts';
import { runs } from '../../runs.ts';
import { anyValueOf, expectSameRecords, NUMBERS, STRINGS } from './compare-records.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A condition with its result in CEL, where undefined is an error. */
interface Case {
  readonly source: string;
  readonly cel: (record: Fields) => boolean | undefined;
}

const NAMES = ['plan', 'country', 'amount', 'score', 'active'];
const compare = (operator: string, left: unknown, right: unknown): boolean | undefined =>
  left === undefined || right === undefined ? undefined : new Function('a', 'b', `return a ${operator} b`)(left, right);

const operators = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
const numeric = fc.tuple(
  fc.constantFrom(...NUMBERS),
  operators,
  fc.oneof(anyValueOf('amount'), fc.constantFrom(...NUMBERS)),
);
const textual = fc.tuple(fc.constantFrom(...STRINGS), operators, fc.oneof(anyValueOf('plan'), anyValueOf('country')));

const anyCase = fc.letrec<{ condition: Case }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    numeric.map(
      ([name, operator, other]): Case => ({
        source: `${name} ${operator} ${other}`,
        cel: (record) => compare(operator, record[name], typeof other === 'string' ? record[other] : other),
      }),
    ),
    fc.tuple(fc.constantFrom(...NUMBERS), fc.constantFrom('+', '-', '*'), operators).map(
      ([name, sign, operator]): Case => ({
        source: `${name} ${sign} 2 ${operator} score`,
        cel: ({ [name]: value, score }) =>
          value === undefined ? undefined : compare(operator, new Function('a', `return a ${sign} 2`)(value), score),
      }),
    ),
    textual.map(
      ([name, operator, other]): Case => ({
        source: `${name} ${operator} ${JSON.stringify(other)}`,
        cel: (record) => compare(operator, record[name], other),
      }),
    ),
    fc.constant<Case>({ source: 'active', cel: ({ active }) => active as boolean | undefined }),
    fc.constant<Case>({ source: 'plan != null', cel: ({ plan }) => plan !== undefined }),
    fc.tuple(tie('condition')).map(
      ([{ source, cel }]): Case => ({
        source: `!(${source})`,
        cel: (record) => {
          const value = cel(record);
          return value === undefined ? undefined : !value;
        },
      }),
    ),
    fc.tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition')).map(
      ([a, operator, b]): Case => ({
        source: `(${a.source}) ${operator} (${b.source})`,
        cel: (record) => {
          const values = [a.cel(record), b.cel(record)];
          if (values.includes(operator === '||')) return operator === '||';
          return values.includes(undefined) ? undefined : operator === '&&';
        },
      }),
    ),
    fc.tuple(tie('condition'), tie('condition'), tie('condition')).map(
      ([a, b, c]): Case => ({
        source: `(${a.source}) ? (${b.source}) : (${c.source})`,
        cel: (record) => {
          const value = a.cel(record);
          return value === undefined ? undefined : (value ? b : c).cel(record);
        },
      }),
    ),
  ),
})).condition;

describe('translateCel', () => {
  it('selects the records for which the condition is true, and not those on which it fails', () => {
    fc.assert(
      fc.property(anyCase, ({ source, cel }) =>
        expectSameRecords(source, translateCel(source), (r) => cel(r) === true),
      ),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    ["has(a.b) && plan in ['a', 'b']", 'defined(properties["a.b"]) and properties["plan"] in ["a", "b"]'],
    ["!(plan in ['a', 'b'])", 'defined(properties["plan"]) and not properties["plan"] in ["a", "b"]'],
    ["user.country.contains('D')", '"D" in user["country"]'],
    ["plan.startsWith('pro')", 'properties["plan"] >= "pro" and properties["plan"] < "prp"'],
  ])('translates %s', (source, expression) => {
    expect(translateCel(source)).toMatchObject({ expression });
  });

  it.each([
    ["!plan.startsWith('pro') || !plan.contains('b')", undefined],
    ['!active', undefined],
    ['amount > 5.0 && !(plan == "pro" ? active : amount < 1.0)', describeNull('CEL')],
    ['has(plan)', describeNull('CEL')],
    ['plan != "pro"', describeNull('CEL')],
    ['plan == null', describeNull('CEL')],
    ['amount + 1.0 > 5.0', NUMBERS_NOTE],
    ['amount < score', 'Two booleans have no order here.'],
    ['"new" in tags', 'In a string, `in` finds a part here. CEL only looks in lists.'],
  ])('notes what %s assumes', (source, note) => {
    expect(translateCel(source)).toMatchObject({ notes: note === undefined ? [] : [note] });
  });

  it.each([
    ['active < true', 'type', 'active < true'],
    ['size(x) > 1', 'function', 'size'],
    ["x.endsWith('a')", 'function', 'endsWith'],
    ["x.matches('a.*')", 'pattern', 'matches'],
    ['x.length > 2', 'function', 'length'],
    ['x > null', 'null', 'x > null'],
    ['1 < x < 3', 'syntax', '<'],
  ])('refuses %s as %s', (source, kind, at) => {
    const translation = translateCel(source);
    const refusal = 'reason' in translation ? translation : expect.unreachable();
    expect([refusal.kind, source.slice(refusal.span.start, refusal.span.end)]).toEqual([kind, at]);
  });
});

it('translateJavaScript selects the records for which JavaScript returns a truthy value', () => {
  fc.assert(
    fc.property(anyCase, ({ source }) => {
      const run = new Function(...NAMES, `return ${source}`);
      const selects = (record: Fields) => Boolean(run(...NAMES.map((name) => record[name])));
      expectSameRecords(source, translateJavaScript(source), selects);
    }),
    { numRuns: runs(3000) },
  );
});

describe('translateForeign', () => {
  it.each([
    ["plan = 'pro' AND amount > 10", 'SQL'],
    ['amount BETWEEN 1 AND 2', 'SQL'],
    ["plan == 'pro' && amount > 10", 'JavaScript'],
    ['has(plan) && plan == "a"', 'CEL'],
    ['{"plan": {"$in": ["a"]}}', 'MongoDB'],
    ['{"==": [{"var": "plan"}, "a"]}', 'JSON Logic'],
  ])('reads %s as %s', (source, language) => {
    const translation = translateForeign(source);
    expect(translation).toMatchObject({ language });
    expect(translation).toHaveProperty('expression');
  });

  it.each(['properties["plan"] == "pro"', 'hello', '', 'properties["a"] > 1 and (not'])(
    'does not read %s',
    (source) => {
      expect(translateForeign(source)).toBeUndefined();
    },
  );

  it.each([
    ['ternaries', 'a ? b : '.repeat(8_000)],
    ['different ternaries', Array.from({ length: 200 }, (_, index) => `a${index} ? b${index} : `).join('')],
    ['lists', '['.repeat(60_000)],
    ['names', 'a.'.repeat(30_000)],
  ])('refuses many nested %s', (_, start) => {
    expect(translateJavaScript(`${start}c`)).toMatchObject({ kind: 'size' });
  });

  it('reads a list without commas in linear time', () => {
    expect(translateForeign(`a in (${'"a" '.repeat(10_000)}`)).toBeUndefined();
  });

  it('never throws', () => {
    const pieces = [
      'plan',
      "'a'",
      '1',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      "'",
      '=',
      '==',
      '<',
      'AND',
      '&&',
      '||',
      '!',
    ];
    const more = [
      'NOT',
      'IN',
      'IS',
      'NULL',
      'BETWEEN',
      'LIKE',
      'CASE',
      'WHEN',
      'SELECT',
      'FROM',
      'WHERE',
      '$in',
      '$or',
      'var',
      '?',
    ];
    const any = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...pieces, ...more)).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(any, (source) => void translateForeign(source)),
      { numRuns: runs(10_000) },
    );
  });
});
