import type { ComparisonName } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { any, type Condition, definedOf, NO, negated, notOf, twoValued } from './conditions.ts';
import { compareLoosely, type LooseRules } from './loose.ts';
import { refuseAt } from './refusal.ts';
import { containsString, testString } from './strings.ts';
import { type Moment, TIME_NOTE, toTimeValue } from './times.ts';
import type { TokenRules } from './tokens.ts';
import { compareOperands, constantOf, type ForeignValue, getConstant, testOperands } from './values.ts';

/** The tokens of Excel. `Table1[@[First Name]]` is one name. */
export const EXCEL_RULES: TokenRules = {
  quotes: { '"': { kind: 'string', backslash: false } },
  brackets: /(?:[\p{L}_][\p{L}\p{N}_.]*)?\[(?:[^[\]]|\[[^[\]]*\])*\]/uy,
  symbols: /<>|<=|>=/y,
};

/** A blank cell counts as 0, as FALSE and as the empty string. */
export const BLANK_RULES: LooseRules = { zeroInOrder: true, equalsBlank: true };

/** A part of a formula. */
export type ExcelTerm = { readonly span: Span } & (
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'value'; readonly value: ForeignValue }
  | { readonly kind: 'moment'; readonly moment: Moment }
  /** The first characters of a string. */
  | { readonly kind: 'start'; readonly value: ForeignValue; readonly length: number }
  /** The place of a part of a string, or an error if it is not there. */
  | { readonly kind: 'search'; readonly found: Condition }
);

/** A call of a function, its name in upper case. */
export interface ExcelCall {
  readonly name: string;
  readonly terms: readonly ExcelTerm[];
  readonly span: Span;
  readonly nameSpan: Span;
}

/** Returns the name of a column: that of `[@plan]`, `[@[First Name]]`, `Table1[plan]` and `[[#This Row],[plan]]`. */
export function readColumn(reference: string, span: Span): string {
  const inner = reference
    .slice(reference.indexOf('[') + 1, -1)
    .replace(/^\[#This Row\]\s*,\s*|^@/i, '')
    .trim();
  const name = /^\[(.*)\]$/s.exec(inner)?.[1] ?? inner;
  if (name === '' || /[[\]#']/.test(name)) refuseAt('name', span, 'Name one column of the row: [@plan].');
  return name;
}

/** Compares a value with a string, case included. */
export function compareExact(value: ForeignValue, text: string, span: Span, notes: Set<string>): Condition {
  noteText(text, notes);
  return compareLoosely('==', value, constantOf(text), BLANK_RULES, span);
}

/** Notes that a column holds numbers, if Excel also computes with digits in a string and with TRUE. */
export function noteNumbers(values: readonly ForeignValue[], notes: Set<string>): void {
  if (values.flat().some(({ operand }) => operand.type === undefined))
    notes.add('The columns hold numbers. Excel also computes with "5" and TRUE, and fails on other strings.');
}

/** Notes that Excel ignores case, if that matters for a string. Returns whether it does. */
function noteCase(text: string, notes: Set<string>): boolean {
  if (text.toLowerCase() === text.toUpperCase()) return false;
  notes.add(`Excel ignores case. onwhere only finds "${text}" as it is written.`);
  return true;
}

/** Notes a string that Excel also finds in a number, or in TRUE. */
function noteText(text: string, notes: Set<string>): void {
  if (text !== '' && (/^[\d.,+\-eE]+$/.test(text) || 'TRUE FALSE'.includes(text.toUpperCase())))
    notes.add(`"${text}" is only looked for in strings. Excel also finds it in a number, or in TRUE.`);
}

/** Compares two values, neither of them a time. */
export function compareExcelValues(
  operator: ComparisonName,
  left: ForeignValue,
  right: ForeignValue,
  span: Span,
  notes: Set<string>,
): Condition {
  const isOrder = operator !== '==' && operator !== '!=';
  const operands = [...left, ...right].map(({ operand }) => operand);
  const isNumeric = operands.some(({ type }) => type === 'number' || type === 'boolean');
  for (const { constant } of operands) {
    if (typeof constant !== 'string') continue;
    if (isOrder) refuseAt('type', span, 'Excel orders strings as a language does, and onwhere by their characters.');
    noteCase(constant, notes);
  }
  if (operands.every(({ type }) => type === 'string')) refuseAt('type', span, 'No record changes this comparison.');
  if (isOrder && isNumeric)
    notes.add('In Excel, every string is greater than a number, and TRUE than a string. Here they have no order.');
  if (operands.every(({ type }) => type === undefined))
    notes.add(isOrder ? 'The columns are compared as numbers.' : 'Excel ignores case when it compares two columns.');
  else if (!isNumeric && operands.every(({ constant }) => constant === undefined))
    notes.add('Excel ignores case when it compares two columns.');
  return compareLoosely(operator, left, right, BLANK_RULES, span);
}

/** Compares the first characters of a string with a string. */
export function compareStart(
  operator: ComparisonName,
  { value, length, span }: Extract<ExcelTerm, { kind: 'start' }>,
  right: ExcelTerm,
  notes: Set<string>,
): Condition {
  const text = right.kind === 'value' ? getConstant(right.value) : undefined;
  if (typeof text !== 'string' || text.length !== length || (operator !== '==' && operator !== '!='))
    return refuseAt('pattern', span, 'LEFT is only compared with a string of as many characters.');
  if (!noteCase(text, notes)) noteText(text, notes);
  const condition = testOperands([value], ({ expression }) =>
    twoValued(expression ? testString('startsWith', expression, text) : NO),
  );
  return operator === '==' ? condition : negated(condition);
}

/** Returns the condition that a part of a string is found. */
export function searchString(
  name: 'FIND' | 'SEARCH',
  part: string,
  value: ForeignValue,
  span: Span,
  notes: Set<string>,
): Condition {
  if (name === 'SEARCH') {
    if (/[*?~]/.test(part)) refuseAt('pattern', span, 'SEARCH reads *, ? and ~ as a pattern. Write FIND.');
  }
  if (name === 'FIND' || !noteCase(part, notes)) noteText(part, notes);
  return testOperands([value], ({ expression }) => twoValued(expression ? containsString(expression, part) : NO));
}

/** Compares two values, one of them a time. A blank cell is earlier than every time. */
export function compareExcelTimes(
  operator: ComparisonName,
  left: ExcelTerm,
  right: ExcelTerm,
  span: Span,
  notes: Set<string>,
): Condition {
  const [from, to] = [left, right].map(toTimeOperand) as [ForeignValue, ForeignValue];
  const constant = getConstant(left.kind === 'moment' ? to : from);
  if (constant !== undefined || left.kind === right.kind)
    refuseAt('time', span, 'Compare a column with a time, such as DATE(2025, 6, 1).');
  notes.add(TIME_NOTE);
  const blankIsTrue = left.kind === 'moment' ? ['>', '>=', '!='] : ['<', '<=', '!='];
  return testOperands([from, to], (a, b) => {
    const column = left.kind === 'moment' ? b : a;
    if (a.expression === undefined || b.expression === undefined || column.expression === undefined)
      return twoValued(NO);
    const blank = blankIsTrue.includes(operator) ? notOf(definedOf(column.expression)) : NO;
    return twoValued(any([compareOperands(operator, a, b), blank]));
  });
}

function toTimeOperand(term: ExcelTerm): ForeignValue {
  if (term.kind === 'moment') return toTimeValue(term.moment);
  if (term.kind === 'value') return term.value;
  return refuseAt('time', term.span, 'Compare a column with a time, such as DATE(2025, 6, 1).');
}

const REASONS = new Map([
  ['LEN', 'onwhere cannot measure lengths.'],
  ['RIGHT', 'onwhere cannot test how a string ends.'],
  ['MID', 'onwhere cannot cut strings. To find a part of a string, write ISNUMBER(FIND("part", [@name])).'],
  ['LOWER', 'onwhere compares strings exactly. List the spellings: OR(EXACT([@plan],"pro"),EXACT([@plan],"Pro")).'],
  ['UPPER', 'onwhere compares strings exactly. List the spellings: OR(EXACT([@plan],"pro"),EXACT([@plan],"Pro")).'],
  ['XOR', 'onwhere has no exclusive or. Write OR(AND(a, NOT(b)), AND(NOT(a), b)).'],
  ['COUNTIF', 'A formula is only translated if it reads one row. To count rows, use `onwhere count`.'],
  ['COUNTIFS', 'A formula is only translated if it reads one row. To count rows, use `onwhere count`.'],
  ['IFS', 'Write IFS as IF(..., IF(...)).'],
]);

/** Refuses a function that has no translation with any arguments. */
export function refuseFunction(name: string, span: Span): void {
  const reason = REASONS.get(name);
  if (reason !== undefined) refuseAt('function', span, reason);
}
