import { quoteString } from '../../base/strings.ts';
import { suggest } from '../../base/suggest.ts';
import type { Binary, Expression, Logical, Membership, Property, TimeComparison } from '../ast.ts';
import { type Diagnostic, diagnose, type Fix } from '../diagnostic.ts';
import { findOverloads } from '../operators/overloads.ts';
import { POWER, type StrictRow } from '../operators/row.ts';
import { BINARY, getPower } from '../operators/table.ts';
import { parseDateTime } from '../operators/time.ts';
import type { Span } from '../source.ts';
import { ANY, describeTypes, NUMBER, STRING, type TypeSet, UNDEFINED } from '../types.ts';
import { parseDecimal, type Value } from '../value.ts';
import type { NodeFacts } from './node-facts.ts';
import type { PropertySchema } from './schema.ts';

/** Warns of an operation that is always undefined. If an operand already is, the warning is there, not here. */
export function warnOfAlwaysUndefined(
  span: Span,
  row: StrictRow,
  operands: readonly NodeFacts[],
  source: string,
): Diagnostic | undefined {
  if (operands.some((operand) => operand.types === UNDEFINED)) return undefined;
  const found = operands.map((operand) => operand.types);
  if (findOverloads(row, found).length > 0)
    return diagnose('no-value', span, { operator: row.name, meant: spellDate(source.slice(span.start, span.end)) });
  const takes = row.overloads.map(({ operands: taken }) => taken.map(describeTypes).join(' and ')).join(', or ');
  return diagnose('always-undefined', span, { operator: row.name, found, takes });
}

/** Warns of a comparison with a value that a property, according to its schema, never has. */
export function warnOfUnknownValue(
  { name }: Property,
  { values = [] }: PropertySchema,
  { span }: Expression,
  value: Value,
): Diagnostic | undefined {
  if (values.length === 0 || values.some((known) => known === value)) return undefined;
  const strings = values.filter((known) => typeof known === 'string');
  const nearest = typeof value === 'string' ? suggest(value, strings) : undefined;
  // A similar value may be another value; one that differs only in case is certainly meant.
  const certain = nearest !== undefined && nearest.toLowerCase() === String(value).toLowerCase();
  const fix = certain ? { span, text: quoteString(nearest) } : undefined;
  return diagnose('unknown-value', span, { name, value, nearest, values }, fix);
}

/** The kinds of nodes that compare. A `binary` node can be another operation too; see `isComparison`. */
export type Comparison = Binary | TimeComparison | Membership;

/** Warns of a comparison of types that are never equal. */
export function warnOfNeverEqual(node: Comparison, left: TypeSet, right: TypeSet): Diagnostic | undefined {
  const { operator, kind } = node;
  if (operator !== '==' && operator !== '!=' && kind !== 'membership') return undefined;
  if ((left & right) !== 0 || left === UNDEFINED || right === UNDEFINED) return undefined;
  return diagnose('never-equal', node.span, { operator, left, right, result: operator === '!=' });
}

/**
 * Warns of a property that is searched in a single word, or in words with commas. The fix is certain if the property is
 * never a string.
 */
function warnOfSwappedIn(node: Binary, left: TypeSet, source: string): Diagnostic | undefined {
  const { operator, left: property, right, span } = node;
  if (operator !== 'in' || property.kind !== 'property' || right.kind !== 'literal') return undefined;
  if (typeof right.value !== 'string') return undefined;
  const words = right.value.split(',').map((word) => word.trim());
  if (!words.every((word) => /^[\p{L}\p{N}_-]+$/u.test(word))) return undefined;
  const name = sliceOperand(property, source);
  if (words.length > 1)
    return diagnose('swapped-in', span, { meant: `${name} in [${words.map(quoteString).join(', ')}]`, isList: true });
  const text = `${sliceOperand(right, source)} in ${name}`;
  const details = { meant: text, isList: false };
  return diagnose('swapped-in', span, details, (left & STRING) === 0 ? { span, text } : undefined);
}

const DATE_ARITHMETIC = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Warns of a date without quotes. */
export function warnOfDateArithmetic({ span }: Binary, source: string, isArgument: boolean): Diagnostic | undefined {
  const text = source.slice(span.start, span.end);
  const [, year, month, day] = DATE_ARITHMETIC.exec(text) ?? [];
  if (year === undefined || parseDateTime(text) === undefined) return undefined;
  const value = String(Number(year) - Number(month) - Number(day));
  return diagnose('date-arithmetic', span, { text, value }, isArgument ? { span, text: quoteString(text) } : undefined);
}

/** The property that has the time of an event in Unix seconds. */
const TIME_NAMES = new Set(['time', '$time']);

/** Later numbers of seconds are in the year 5138. */
const MAX_TIME = 1e11;

/** Warns of a comparison of the time of an event with a number of milliseconds. */
function warnOfMilliseconds(side: Expression, other: Expression): Diagnostic | undefined {
  if (side.kind !== 'literal' || typeof side.value !== 'number' || side.value < MAX_TIME) return undefined;
  if (other.kind !== 'property' || !TIME_NAMES.has(other.name)) return undefined;
  const text = String(side.value / 1000);
  return diagnose('milliseconds', side.span, { meant: text }, { span: side.span, text });
}

/** Warns of a comparison of a number with the text of a date. */
function warnOfDateText(node: Binary, side: Expression, other: Expression, types: TypeSet): Diagnostic | undefined {
  if (!isComparison(node) || node.operator === 'in' || side.kind !== 'literal' || typeof side.value !== 'string')
    return undefined;
  const isNumber = (types & NUMBER) !== 0 && (types & STRING) === 0;
  const isTime = isNumber || (types === ANY && other.kind === 'property' && TIME_NAMES.has(other.name));
  if (!isTime || !/^\d{4}-/.test(side.value) || parseDateTime(side.value) === undefined) return undefined;
  const fix = { span: side.span, text: `datetime(${quoteString(side.value)})` };
  return diagnose('date-text', side.span, { text: side.value }, fix);
}

/** Warns of a comparison that cannot mean what it says, whatever its records are. Other warnings of it add nothing. */
export function warnOfBinary(node: Binary, left: TypeSet, right: TypeSet, source: string): Diagnostic | undefined {
  return (
    warnOfSwappedIn(node, left, source) ??
    warnOfDateText(node, node.right, node.left, left) ??
    warnOfDateText(node, node.left, node.right, right) ??
    warnOfMilliseconds(node.right, node.left) ??
    warnOfMilliseconds(node.left, node.right)
  );
}

/** Diagnoses `x == ("a" or "b")`. What `!=` means there is not certain, so that gets no fix. */
export function diagnoseAlternatives(node: Binary, source: string): Diagnostic | undefined {
  const { operator, left, right, span } = node;
  if ((operator !== '==' && operator !== '!=') || right.kind !== 'logical' || right.operator !== 'or') return undefined;
  const items = right.operands.map((operand) => (isItem(operand) ? sliceOperand(operand, source) : undefined));
  if (items.includes(undefined)) return undefined;
  const text = `${sliceOperand(left, source)} in [${items.join(', ')}]`;
  const isCertain = operator === '==';
  const details = { operator, meant: isCertain ? text : `not ${text}` };
  return diagnose('alternatives', right.span, details, isCertain ? { span, text } : undefined);
}

/** Returns whether a node is a string or a number that a list can have. */
function isItem(node: Expression): boolean {
  if (node.kind === 'prefix') return node.operator === '-' && node.operand.kind === 'literal' && isItem(node.operand);
  return node.kind === 'literal' && typeof node.value !== 'boolean';
}

/** Diagnoses an operand of `and` or `or`, or a whole filter, that is never a boolean. */
export function diagnoseOperand(
  { span }: Expression,
  found: TypeSet,
  operator: 'and' | 'or' | undefined,
  source: string,
  repeated: Repeated | undefined,
): Diagnostic {
  if (operator === undefined) return diagnose('filter-type', span, { found });
  if (repeated === undefined) return diagnose('operand-type', span, { operator, found });
  const meant = repeated.text + source.slice(span.start, span.end) + repeated.end;
  const fix = repeated.isCertain ? { span, text: meant } : undefined;
  return diagnose('operand-type', span, { operator, found, meant }, fix);
}

/**
 * The text around the operand in a repeated comparison. `x > 1 or 2`, and `x == "a" and "b"`, which cannot be both, can mean
 * something else.
 */
export interface Repeated {
  readonly text: string;
  readonly end: string;
  readonly isCertain: boolean;
}

/** Returns the comparison that an operand of a chain of `and` or `or` leaves out, as in `x == "a" or "b"`. */
export function findRepeated({ operator, operands }: Logical, index: number, source: string): Repeated | undefined {
  const operand = operands[index];
  if (operand?.kind !== 'literal' || typeof operand.value === 'boolean') return undefined;
  const before = operands.slice(0, index).findLast(({ kind }) => kind !== 'literal');
  if (before?.kind !== 'binary' || !isComparison(before) || before.operator === 'in') return undefined;
  const { left, right } = before;
  if (left.kind === 'literal' || right.kind !== 'literal' || typeof right.value !== typeof operand.value)
    return undefined;
  const isCertain = before.operator === (operator === 'or' ? '==' : '!=');
  const compared = sliceOperand(left, source);
  if (operator === 'and' && before.operator === '==')
    return { text: `${compared} in [${sliceOperand(right, source)}, `, end: ']', isCertain };
  return { text: `${compared} ${before.operator} `, end: '', isCertain };
}

/** Writes a date such as 31/12/2025, or 2025-12-31 10:00, in the ways that it can be meant. */
function spellDate(text: string): string | undefined {
  const spaced = /(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)/.exec(text);
  const [, first = '', , second = '', year] = /\b(\d\d?)([./-])(\d\d?)\2(\d{4})\b/.exec(text) ?? [];
  const dates = spaced
    ? [`${spaced[1]}T${spaced[2]?.padEnd(8, ':00')}`]
    : [second, first].map((month, index) =>
        [year, month, [first, second][index]].map((part) => part?.padStart(2, '0')).join('-'),
      );
  const valid = new Set(dates.filter((date) => parseDateTime(date) !== undefined));
  return valid.size === 0 ? undefined : Array.from(valid, quoteString).join(' or ');
}

/** Warns of a string literal that looks like a number, or a date from its end, in an order comparison of strings. */
export function warnOfStringOrder(operator: string, side: Expression, both: TypeSet): Diagnostic | undefined {
  if (side.kind !== 'literal' || typeof side.value !== 'string' || (both & STRING) === 0 || !isOrder(operator))
    return undefined;
  const meant = spellDate(side.value);
  if (meant === undefined && parseDecimal(side.value) === undefined) return undefined;
  return diagnose('text-order', side.span, { text: side.value, meant });
}

/** Returns the comparison on the left of a chained one: `a < b` of `a < b < c`, but not of `(a < b) < c`. */
export function findPreviousComparison(node: Comparison): Comparison | undefined {
  const left = getLeft(node);
  return isComparison(node) && isComparison(left) && left.span.start === node.span.start ? left : undefined;
}

/** Diagnoses a chain of comparisons, given the last of them. */
export function diagnoseChainedComparison(last: Comparison, source: string): Diagnostic {
  const chain: Comparison[] = [];
  for (let node: Comparison | undefined = last; node !== undefined; node = findPreviousComparison(node))
    chain.unshift(node);
  const fix = fixChain(last, chain, source);
  return diagnose('chained-comparison', last.span, { meant: fix?.text }, fix);
}

/** Joins the comparisons of a chain by `and`, if all point in one direction, as in `a < b <= c`. */
function fixChain({ span }: Expression, chain: readonly Comparison[], source: string): Fix | undefined {
  const steps = chain.filter((step) => step.kind !== 'membership');
  const directions = new Set(steps.map(({ operator }) => operator.charAt(0)));
  const ordered = steps.length === chain.length && steps.every(({ operator }) => isOrder(operator));
  if (!ordered || directions.size > 1) return undefined;
  const text = steps.map(({ left, operator, right }, index) => {
    return `${sliceOperand(steps[index - 1]?.right ?? left, source)} ${operator} ${sliceOperand(right, source)}`;
  });
  return { span, text: `(${text.join(' and ')})` };
}

/** Returns the source of an operand, in parentheses where it needs them: its span excludes those around it. */
function sliceOperand(node: Expression, source: string): string {
  const text = source.slice(node.span.start, node.span.end);
  return getPower(node) <= POWER.comparison ? `(${text})` : text;
}

function isComparison(node: Expression): node is Comparison {
  switch (node.kind) {
    case 'binary':
      return BINARY[node.operator].power === POWER.comparison;
    case 'timeComparison':
    case 'membership':
      return true;
    default:
      return false;
  }
}

function getLeft(node: Comparison): Expression {
  return node.kind === 'membership' ? node.operand : node.left;
}

function isOrder(operator: string): boolean {
  return operator === '<' || operator === '<=' || operator === '>' || operator === '>=';
}
