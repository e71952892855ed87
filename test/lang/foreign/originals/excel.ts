import fc from 'fast-check';
import { translateExcel } from '../../../../src/lang/foreign/translate.ts';
import { drawRecords, hasOnlyNumbers, LITERALS, type MixedRecord, NAMES, type Original } from './original.ts';

/** A value of a cell or a formula. A blank cell is undefined. */
type Cell = string | number | boolean | undefined;

/** An error such as #VALUE!, which makes an error of every formula around it. */
class ExcelError extends Error {}

/** A formula, and what Excel computes. */
interface Formula {
  readonly source: string;
  readonly run: (record: MixedRecord) => Cell;
}

/** Numbers come before strings, and strings before booleans. */
const RANKS = { number: 0, string: 1, boolean: 2 } as const;
type Known = Exclude<Cell, undefined>;
const rankOf = (value: Known) => RANKS[typeof value as keyof typeof RANKS];
const fill = (value: Cell, other: Cell): Known =>
  value ?? (other === undefined || typeof other === 'number' ? 0 : typeof other === 'string' ? '' : false);

/** Returns a negative number, 0 or a positive number, without regard to case. */
function compare(left: Cell, right: Cell): number {
  const [a, b] = [fill(left, right), fill(right, left)];
  if (rankOf(a) !== rankOf(b)) return rankOf(a) - rankOf(b);
  const [x, y] = [a, b].map((value) => (typeof value === 'string' ? value.toLowerCase() : Number(value)));
  return x === y ? 0 : (x as number) < (y as number) ? -1 : 1;
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function toNumber(value: Cell): number {
  if (typeof value !== 'string') return Number(value ?? 0);
  if (value.trim() === '' || Number.isNaN(Number(value))) throw new ExcelError();
  return Number(value);
}

function toBoolean(value: Cell): boolean {
  if (typeof value === 'string') {
    if (!/^(?:true|false)$/i.test(value)) throw new ExcelError();
    return /^true$/i.test(value);
  }
  return Boolean(value);
}

function toText(value: Cell): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '');
}

const column = fc
  .constantFrom(...NAMES)
  .map((name): Formula => ({ source: `[@${name}]`, run: (record) => (record[name] ?? undefined) as Cell }));
const write = (value: string | number | boolean) =>
  typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value).toUpperCase();
const literal = fc.constantFrom(...LITERALS).map((value): Formula => ({ source: write(value), run: () => value }));
const text = fc.constantFrom('pro', 'Pro', '5', '1', 'TRUE', 'r', '-', "it's");
const comparison = fc.constantFrom(...Object.keys(COMPARISONS));

function compareFormulas([a, operator, b]: readonly [Formula, string, Formula]): Formula {
  return {
    source: `${a.source}${operator}${b.source}`,
    run: (record) => COMPARISONS[operator]?.(compare(a.run(record), b.run(record))),
  };
}

function computeFormula([a, operator, b]: readonly [Formula, string, Formula]): Formula {
  return {
    source: `(${a.source}${operator}${b.source})`,
    run(record) {
      const [x, y] = [toNumber(a.run(record)), toNumber(b.run(record))];
      return operator === '+' ? x + y : operator === '-' ? x - y : x * y;
    },
  };
}

function choose([test, yes, no]: readonly [Formula, Formula, Formula]): Formula {
  return {
    source: `IF(${test.source},${yes.source},${no.source})`,
    run: (record) => (toBoolean(test.run(record)) ? yes : no).run(record),
  };
}

const isFound = fc
  .tuple(fc.constantFrom('ISNUMBER', 'ISERROR'), fc.constantFrom('FIND', 'SEARCH'), text, column)
  .map(([test, find, part, { source, run }]): Formula => {
    const fold = (whole: string) => (find === 'FIND' ? whole : whole.toLowerCase());
    return {
      source: `${test}(${find}("${part}",${source}))`,
      run: (record) => fold(toText(run(record))).includes(fold(part)) === (test === 'ISNUMBER'),
    };
  });

const { condition } = fc.letrec<{ condition: Formula; value: Formula }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 5, arbitrary: column },
    { weight: 3, arbitrary: literal },
    { weight: 1, arbitrary: fc.tuple(tie('value'), fc.constantFrom('+', '-', '*'), tie('value')).map(computeFormula) },
    {
      weight: 1,
      arbitrary: column.map(({ source, run }): Formula => ({ source: `-${source}`, run: (r) => -toNumber(run(r)) })),
    },
    { weight: 1, arbitrary: fc.tuple(tie('condition'), tie('value'), tie('value')).map(choose) },
  ),
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: fc.tuple(column, comparison, literal).map(compareFormulas) },
    { weight: 2, arbitrary: fc.tuple(tie('value'), comparison, tie('value')).map(compareFormulas) },
    { weight: 1, arbitrary: isFound },
    {
      weight: 1,
      arbitrary: fc.tuple(column, text).map(
        ([{ source, run }, other]): Formula => ({
          source: `EXACT(${source},"${other}")`,
          run: (record) => toText(run(record)) === other,
        }),
      ),
    },
    {
      weight: 1,
      arbitrary: column.map(
        ({ source, run }): Formula => ({
          source: `ISBLANK(${source})`,
          run: (record) => run(record) === undefined,
        }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(column, fc.constantFrom('p', '5', 'F')).map(
        ([{ source, run }, start]): Formula => ({
          source: `LEFT(${source},1)="${start}"`,
          run: (record) => toText(run(record)).slice(0, 1).toLowerCase() === start.toLowerCase(),
        }),
      ),
    },
    { weight: 1, arbitrary: tie('value') },
    {
      weight: 1,
      arbitrary: tie('condition').map(
        ({ source, run }): Formula => ({
          source: `NOT(${source})`,
          run: (record) => !toBoolean(run(record)),
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('AND', 'OR'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 })).map(
        ([name, formulas]): Formula => ({
          source: `${name}(${formulas.map(({ source }) => source).join(', ')})`,
          run(record) {
            // An error in any of them is an error of the whole.
            const truths = formulas.map(({ run }) => toBoolean(run(record)));
            return name === 'AND' ? truths.every(Boolean) : truths.some(Boolean);
          },
        }),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(tie('condition'), tie('condition'), tie('condition')).map(choose) },
  ),
}));

const formulas = new Map<string, Formula>();

/** Formulas of Excel, computed as its manual says. An error selects nothing. */
export const EXCEL: Original = {
  language: 'Excel',
  filters: condition.map((formula) => {
    formulas.set(`=${formula.source}`, formula);
    return `=${formula.source}`;
  }),
  translate: translateExcel,
  records: drawRecords(false),
  assumptions: [[/^(?:In Excel, every string|The columns)/, hasOnlyNumbers]],
  read(source) {
    const formula = formulas.get(source);
    if (formula === undefined) return undefined;
    return (record) => {
      try {
        const value = formula.run(record);
        return typeof value === 'string' ? false : Boolean(value);
      } catch (error) {
        if (error instanceof ExcelError) return false;
        throw error;
      }
    };
  },
};
