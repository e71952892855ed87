import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format } from '../../../src/api/expressions.ts';
import { fromForm, toForm } from '../../../src/api/forms.ts';
import { createCondition, draftOf, formOf, type GroupDraft } from '../../../src/editor/element/draft.ts';
import { readListText, readValueText, showListText, showValueText } from '../../../src/editor/element/value-text.ts';
import type { Schema } from '../../../src/lang/check/schema.ts';
import { sources } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';
import { drawCase } from '../../value-first.ts';

const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '"',
    '"a',
    '"a"',
    '"a"b',
    'a, b',
    '100',
    '-1',
    '.5',
    '1e3',
    '1e999',
    'true',
    'False',
    '\\',
    'a\nb',
  ),
  fc.string({ maxLength: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
);

describe('the text of a field', () => {
  it('reads as the value that it shows', () => {
    fc.assert(
      fc.property(value, fc.boolean(), (value, isText) => {
        if (isText && typeof value !== 'string') return;
        const text = showValueText(value, isText);
        expect(text).not.toMatch(/[\r\n]/);
        expect(readValueText(text, isText)).toBe(value);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('reads as the list that it shows', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (values) => {
        expect(readListText(showListText(values, false), false)).toEqual(values);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it.each([
    ['pro', 'pro'],
    [' pro ', 'pro'],
    ['100', 100],
    ['"100"', '100'],
    ['1,000', '1,000'],
    ['-0', 0],
    ['true', true],
    ['"a\\nb"', 'a\nb'],
    ['"unclosed', '"unclosed'],
    ['', undefined],
  ])('reads %j as %j', (text, value) => {
    expect(readValueText(text, false)).toBe(value);
  });

  it('is text where a property has only strings', () => {
    expect(readValueText('100', true)).toBe('100');
    expect(showValueText('100', true)).toBe('100');
    expect(readListText('1, "2, 3"', true)).toEqual(['1', '2, 3']);
  });
});

describe('a draft of a form', () => {
  const schema: Schema = { properties: { plan: { types: ['string'] }, tags: { types: ['list'] } }, user: {} };

  it('loses nothing of an expression', () => {
    const expectSame = (source: string) => {
      for (const known of [undefined, schema]) {
        expect(fromForm(formOf(draftOf(toForm(source), known), known))).toBe(format(source));
      }
    };
    fc.assert(
      fc.property(sources, ({ source }) => expectSame(source)),
      { numRuns: runs(2_000) },
    );
    fc.assert(
      fc.property(fc.noShrink(fc.nat()), (seed) => expectSame(format(drawCase(seed, 1).tree))),
      { numRuns: runs(2_000) },
    );
    expectSame('properties["plan"] in [] or properties["plan"] == "100" or not properties["plan"] in ["1", "a,b"]');
    expectSame('properties["t"] < datetime("2025-06-01") and properties[""] != datetime(100)');
  });

  it('leaves out rows that are not complete', () => {
    const draft: GroupDraft = { kind: 'group', join: 'or', negated: false, rows: [createCondition()] };
    expect(fromForm(formOf(draft))).toBe('');
    draft.rows.push({ ...createCondition(), property: 'plan' }, { ...createCondition(), property: 'a', text: '1' });
    expect(fromForm(formOf(draft))).toBe('properties["a"] == 1');
    draft.rows.push({ ...createCondition(), property: 'b', operator: 'in', text: ' , ' });
    draft.rows.push({ ...createCondition(), property: 'c', operator: 'not defined', text: 'ignored' });
    draft.rows.push({ ...createCondition(), property: 'd', operator: 'time <', text: '2025-06-01' });
    expect(fromForm(formOf(draft))).toBe(
      'properties["a"] == 1\nor not defined(properties["c"])\nor properties["d"] < datetime("2025-06-01")',
    );
  });

  it('reads values as the schema says', () => {
    const row = { ...createCondition(), property: 'plan', text: '100' };
    const draft: GroupDraft = { kind: 'group', join: 'and', negated: false, rows: [row] };
    expect(fromForm(formOf(draft, schema))).toBe('properties["plan"] == "100"');
    row.function = 'number';
    expect(fromForm(formOf(draft, schema))).toBe('number(properties["plan"]) == 100');
    row.function = 'string';
    row.property = 'other';
    expect(fromForm(formOf(draft, schema))).toBe('string(properties["other"]) == "100"');
  });
});
