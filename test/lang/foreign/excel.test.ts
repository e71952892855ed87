import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { translateExcel, translateForeign } from '../../../src/lang/foreign/translate.ts';
import { runs } from '../../runs.ts';
import { anyValueOf, expectSameRecords, NUMBERS, STRINGS } from './compare-records.ts';

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** A formula and its meaning. */
interface Case {
  readonly source: string;
  readonly excel: (record: Fields) => boolean;
}

const compare = (operator: string, a: number, b: number) =>
  ({ '=': a === b, '<>': a !== b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b })[operator] as boolean;
const numberOf = (value: Fields[string]) => Number(value ?? 0);
const operators = fc.constantFrom('=', '<>', '<', '<=', '>', '>=');
const column = (name: string) =>
  fc.constantFrom(`[@${name}]`, `[@[${name}]]`, `[${name}]`, `Table1[@${name}]`, `Table1[[#This Row],[${name}]]`, name);

const anyCase = fc.letrec<{ condition: Case }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...NUMBERS).chain((name) =>
      fc.tuple(column(name), operators, anyValueOf('amount')).map(
        ([written, operator, other]): Case => ({
          source: `${written}${operator}${other}`,
          excel: (record) => compare(operator, numberOf(record[name]), other as number),
        }),
      ),
    ),
    fc.tuple(fc.constantFrom('+', '-', '*'), operators).map(
      ([sign, operator]): Case => ({
        source: `[@amount]${sign}2${operator}[@score]*1`,
        excel: ({ amount, score }) =>
          compare(operator, new Function('a', `return a ${sign} 2`)(numberOf(amount)), numberOf(score)),
      }),
    ),
    fc.constantFrom(...STRINGS).chain((name) =>
      fc.tuple(column(name), anyValueOf(name)).map(
        ([written, other]): Case => ({
          source: `EXACT(${written},"${other}")`,
          excel: (record) => (record[name] ?? '') === other,
        }),
      ),
    ),
    fc.tuple(column('plan'), fc.constantFrom('pr', 'p', 'max')).map(
      ([written, part]): Case => ({
        source: `ISNUMBER(FIND("${part}",${written}))`,
        excel: ({ plan }) => String(plan ?? '').includes(part),
      }),
    ),
    column('plan').map((written): Case => ({ source: `ISBLANK(${written})`, excel: (r) => r.plan === undefined })),
    column('plan').map((written): Case => ({ source: `${written}=""`, excel: (r) => (r.plan ?? '') === '' })),
    column('active').map((written): Case => ({ source: `${written}=TRUE`, excel: (r) => r.active === true })),
    column('active').map((written): Case => ({ source: `${written}<>FALSE`, excel: (r) => r.active === true })),
    tie('condition').map(({ source, excel }): Case => ({ source: `NOT(${source})`, excel: (r) => !excel(r) })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).chain((cases) =>
      fc.constantFrom('AND', 'OR', 'or').map((name): Case => {
        const source = `${name}(${cases.map((one) => one.source).join(', ')})`;
        const isAll = name === 'AND';
        return { source, excel: (r) => (isAll ? cases.every((c) => c.excel(r)) : cases.some((c) => c.excel(r))) };
      }),
    ),
    fc.tuple(tie('condition'), tie('condition'), tie('condition')).map(
      ([a, b, c]): Case => ({
        source: `IF(${a.source};${b.source};${c.source})`,
        excel: (record) => (a.excel(record) ? b : c).excel(record),
      }),
    ),
  ),
})).condition;

describe('translateExcel', () => {
  it('selects the records for which the formula is TRUE', () => {
    fc.assert(
      fc.property(anyCase, ({ source, excel }) => {
        expectSameRecords(source, translateExcel(`=${source}`), excel);
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    ['=[@[First Name]]<>"-"', 'properties["First Name"] != "-"'],
    ['=IF([@amount]>100,TRUE,FALSE)', 'properties["amount"] > 100'],
    ['=IF([@amount]>100,FALSE)', 'false'],
    ['=[@created]>=DATE(2025,6,1)', 'properties["created"] >= datetime("2025-06-01")'],
    ['=[@created]>NOW()-7', 'datetime(properties["created"]) > now - 604800'],
  ])('translates %s', (source, expression) => {
    expect(translateExcel(source)).toMatchObject({ expression });
  });

  it.each([
    ['=[@plan]="pro"', 'Excel ignores case. onwhere only finds "pro" as it is written.'],
    ['=ISNUMBER(SEARCH("a",[@x]))', 'Excel ignores case. onwhere only finds "a" as it is written.'],
    ['=LEFT([@plan],3)="pro"', 'Excel ignores case. onwhere only finds "pro" as it is written.'],
    ['=[@plan]=[@country]', 'Excel ignores case when it compares two columns.'],
    ['=[@amount]>[@score]', 'The columns are compared as numbers.'],
    [
      '=[@amount]>5',
      'In Excel, every string is greater than a number, and TRUE than a string. Here they have no order.',
    ],
    ['=[@amount]+1=5', 'The columns hold numbers. Excel also computes with "5" and TRUE, and fails on other strings.'],
    ['=[@active]', 'A column alone is read as TRUE or FALSE. For a number, write [@amount]<>0.'],
    ['=EXACT([@plan],"5")', '"5" is only looked for in strings. Excel also finds it in a number, or in TRUE.'],
    ['=ISNUMBER(FIND("R",[@plan]))', '"R" is only looked for in strings. Excel also finds it in a number, or in TRUE.'],
  ])('says what it assumes for %s', (source, note) => {
    expect(translateExcel(source)).toMatchObject({ notes: [note] });
  });

  it.each([
    ['=LEN([@x])>3', 'function', 'LEN'],
    ['=RIGHT([@x],2)="ab"', 'function', 'RIGHT'],
    ['=A2="pro"', 'name', 'A2'],
    ['=COUNTIF(A:A,"pro")>0', 'function', 'COUNTIF'],
    ['=EXACT(LEFT([@plan],3),"pro")', 'type', 'LEFT([@plan],3)'],
    ['=SEARCH("a",[@x])>0', 'function', 'SEARCH("a",[@x])'],
    ['=ISNUMBER(SEARCH("a*b",[@x]))', 'pattern', 'SEARCH("a*b",[@x])'],
    ['=[@a]&[@b]="ab"', 'operator', '&'],
    ['=[@created]>TODAY()', 'time', 'TODAY()'],
    ['=[@plan]>"a"', 'type', '[@plan]>"a"'],
    ['=[@rate]>10%', 'operator', '%'],
    ['=IF([@active]=TRUE,"a","b")', 'type', '=IF([@active]=TRUE,"a","b")'.slice(1)],
  ])('refuses %s as %s', (source, kind, at) => {
    const translation = translateExcel(source);
    const refusal = 'reason' in translation ? translation : expect.unreachable();
    expect([refusal.kind, source.slice(refusal.span.start, refusal.span.end)]).toEqual([kind, at]);
  });

  it.each(['=plan="pro"', 'AND([@plan]="pro",[@amount]>100)', 'NOT(ISBLANK(plan))', 'Table1[@plan]="pro"'])(
    'is chosen for %s',
    (source) => {
      expect(translateForeign(source)).toMatchObject({ language: 'Excel' });
    },
  );
});
