import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format } from '../../../src/api/expressions.ts';
import { fromForm, toForm } from '../../../src/api/forms.ts';
import { ExpressionSyntaxError } from '../../../src/lang/errors.ts';
import { FORM_OPERATORS, type FormCondition, type FormGroup, type FormRow } from '../../../src/lang/form/form.ts';
import { sources } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';
import { drawCase } from '../../value-first.ts';

function group(join: 'and' | 'or', ...rows: readonly FormRow[]): FormGroup {
  return { kind: 'group', join, negated: false, rows };
}

function not(form: FormGroup): FormGroup {
  return { ...form, negated: true };
}

function condition(operator: FormCondition['operator'], value?: FormCondition['value']): FormCondition {
  const row = { kind: 'condition', scope: 'properties', property: 'a', operator } as const;
  return value === undefined ? row : { ...row, value };
}

/** Each condition as source, with `a` for the property. */
const CONDITIONS: readonly (readonly [FormCondition, string])[] = [
  [condition('==', 'pro'), 'a == "pro"'],
  [condition('==', '"'), 'a == "\\""'],
  [condition('!=', true), 'a != true'],
  [condition('<', -1.5), 'a < -1.5'],
  [condition('<=', 0), 'a <= 0'],
  [condition('>', 1e21), 'a > 1e+21'],
  [condition('>=', 'b'), 'a >= "b"'],
  [condition('<', { datetime: '2025-06-01' }), 'a < datetime("2025-06-01")'],
  [condition('==', { datetime: -1 }), 'a == datetime(-1)'],
  [condition('in', ['pro', -1, false]), 'a in ["pro", -1, false]'],
  [condition('not in', ['pro']), 'not a in ["pro"]'],
  [condition('contains', '@'), '"@" in a'],
  [condition('not contains', -2), 'not -2 in a'],
  [condition('defined'), 'defined(a)'],
  [condition('not defined'), 'not defined(a)'],
  [{ ...condition('>', 100), function: 'number' }, 'number(a) > 100'],
  [{ ...condition('>', '2025-06-01'), function: 'datetime' }, 'datetime(a) > "2025-06-01"'],
  [{ ...condition('not defined'), function: 'floor' }, 'not defined(floor(a))'],
  [{ ...condition('contains', 'x'), function: 'string' }, '"x" in string(a)'],
];

const A = condition('==', 1);
const B = condition('==', 2);

/** Groups as source, with `a` and `b` for the two conditions. */
const GROUPS: readonly (readonly [FormGroup, string])[] = [
  [group('and', A), 'a'],
  [not(group('and', A)), 'not a'],
  [group('or', A, B), 'a or b'],
  [not(group('or', A, B)), 'not (a or b)'],
  [group('and', not(group('and', A)), B), 'not a and b'],
  [group('and', A, group('and', A, B)), 'a and (a and b)'],
  [group('or', group('and', A, B), B), 'a and b or b'],
  [not(group('and', not(group('and', A)))), 'not not a'],
  [not(group('and', not(group('or', A, B)))), 'not not (a or b)'],
  [group('and', A, { kind: 'expression', source: 'now > 5' }), 'a and now > 5'],
];

function spell(text: string): string {
  return text.replace(/\ba\b/g, 'properties["a"] == 1').replace(/\bb\b/g, 'properties["a"] == 2');
}

describe('a form', () => {
  it('has each operator', () => {
    expect(new Set(CONDITIONS.map(([{ operator }]) => operator))).toEqual(new Set(Object.keys(FORM_OPERATORS)));
  });

  it.each(CONDITIONS)('shows a condition as a row: %j', (row, text) => {
    const source = text.replace(/\ba\b/, 'properties["a"]');
    expect(toForm(source)).toEqual(group('and', row));
    expect(fromForm(group('and', row))).toBe(source);
  });

  it.each(GROUPS)('shows `and`, `or` and `not` as groups: %j', (form, text) => {
    expect(toForm(spell(text))).toEqual(form);
    expect(fromForm(form)).toBe(spell(text));
  });

  it.each([
    '5 < properties["a"]',
    'properties["a"] == -0',
    'properties["a"] == --1',
    'properties["a"] + 1 == 2',
    'properties["a"]',
    'number(string(properties["a"])) == 1',
    'properties["a"] in properties["b"]',
    'properties["a"] < datetime(now - 86400)',
  ])('keeps what no row can show: %s', (source) => {
    expect(toForm(source)).toEqual(group('and', { kind: 'expression', source }));
    expect(fromForm(toForm(source))).toBe(source);
  });

  it('without conditions is no filter', () => {
    expect(toForm(' \n')).toEqual(group('and'));
    expect(fromForm(not(group('and', group('or'), not(group('and')))))).toBe('');
    expect(fromForm(group('and', group('or'), A))).toBe(spell('a'));
  });

  it('is written as the canonical source of its expression', () => {
    fc.assert(
      fc.property(sources, ({ source }) => {
        expect(fromForm(toForm(source))).toBe(format(source));
      }),
      { numRuns: runs(3_000) },
    );
    fc.assert(
      fc.property(fc.noShrink(fc.nat()), (seed) => {
        const { tree } = drawCase(seed, 1);
        const stored: FormGroup = JSON.parse(JSON.stringify(toForm(tree)));
        expect(fromForm(stored)).toBe(format(tree));
      }),
      { numRuns: runs(3_000) },
    );
  });

  it.each<[unknown, string]>([
    [undefined, '`form` must be a form that `toForm` returned, not undefined'],
    [A, '`form.kind` must be one of "group", not "condition"'],
    [group('and', { ...A, operator: 'is' } as never), '`form.rows[0].operator` must be one of "==", '],
    [group('and', group('or', { ...A, value: null } as never)), '`form.rows[0].rows[0].value` must be a string'],
    [group('and', condition('in', 'pro')), '`form.rows[0].value` must be an array, not "pro"'],
    [group('and', condition('in', ['\ud800'])), '`form.rows[0].value[0]` must be a string without half of a surrogate'],
    [group('and', condition('contains', { datetime: 1 })), '`form.rows[0].value` must be a string'],
    [
      group('and', condition('defined', 1)),
      '`form.rows[0].value` must be left out, as `defined` takes no value, not 1',
    ],
    [group('and', { ...A, valeu: 1 } as never), '`form.rows[0]` has an unknown field "valeu": did you mean `value`?'],
  ])('that is wrong is refused with the path: %j', (form, message) => {
    expect(() => fromForm(form as FormGroup)).toThrow(message);
  });

  it.each([
    [300, ExpressionSyntaxError],
    [100_000, TypeError],
  ])('is refused with %i groups in each other', (depth, error) => {
    let form = not(group('and', A));
    for (let at = 0; at < depth; at++) form = not(group('and', form));
    expect(() => fromForm(form)).toThrow(error);
  });

  it('is refused beyond the limits of its expression', () => {
    expect(() => fromForm(group('and', { kind: 'expression', source: '1 +' }))).toThrow(ExpressionSyntaxError);
    expect(() => fromForm(group('and', A, B), { limits: { length: 20 } })).toThrow(ExpressionSyntaxError);
    expect(() => toForm('1 + 1', { limits: { length: 3 } })).toThrow(ExpressionSyntaxError);
  });
});
