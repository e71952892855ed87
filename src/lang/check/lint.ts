import type { Binary, Expression, Membership, Property, TimeComparison } from '../ast.ts';
import { type Diagnostic, diagnose, type Fix } from '../diagnostic.ts';
import { findOverloads } from '../operators/overloads.ts';
import { POWER, type StrictRow } from '../operators/row.ts';
import { BINARY, getPower } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { describeTypes, STRING, type TypeSet, UNDEFINED } from '../types.ts';
import { quoteString } from '../util/strings.ts';
import { suggest } from '../util/suggest.ts';
import { parseDecimal, type Value } from '../value.ts';
import type { NodeFacts } from './node-facts.ts';
import type { PropertySchema } from './schema.ts';

/** Why an operation is always undefined. One with an operand that is that already has been reported there. */
export function warnOfNoAnswer(span: Span, row: StrictRow, operands: readonly NodeFacts[]): Diagnostic | undefined {
  if (operands.some((operand) => operand.types === UNDEFINED)) return undefined;
  const found = operands.map((operand) => operand.types);
  if (findOverloads(row, found).length > 0) return diagnose('no-value', span, { operator: row.name });
  const takes = row.overloads.map(({ operands: taken }) => taken.map(describeTypes).join(' and ')).join(', or ');
  return diagnose('always-undefined', span, { operator: row.name, found, takes });
}

/** A value that a property is compared with and, going by its schema, never has. */
export function warnOfUnknownValue(
  { name }: Property,
  { values = [] }: PropertySchema,
  { span }: Expression,
  value: Value,
): Diagnostic | undefined {
  if (values.length === 0 || values.some((known) => known === value)) return undefined;
  const texts = values.filter((known) => typeof known === 'string');
  const nearest = typeof value === 'string' ? suggest(value, texts) : undefined;
  // A near value may be another; one that differs in case alone is the one.
  const certain = nearest !== undefined && nearest.toLowerCase() === String(value).toLowerCase();
  const fix = certain ? { span, text: quoteString(nearest) } : undefined;
  return diagnose('unknown-value', span, { name, value, nearest, values }, fix);
}

/** What compares, and `binary` nodes that do not. */
export type Comparison = Binary | TimeComparison | Membership;

/** A comparison of types that never meet. */
export function warnOfNeverEqual(node: Comparison, left: TypeSet, right: TypeSet): Diagnostic | undefined {
  const { operator, kind } = node;
  if (operator !== '==' && operator !== '!=' && kind !== 'membership') return undefined;
  if ((left & right) !== 0 || left === UNDEFINED || right === UNDEFINED) return undefined;
  return diagnose('never-equal', node.span, { operator, left, right, answer: operator === '!=' });
}

/** A side that is a text which looks like a number, where text is compared in order. */
export function warnOfStringOrder(operator: string, side: Expression, both: TypeSet): Diagnostic | undefined {
  if (side.kind !== 'literal' || typeof side.value !== 'string' || (both & STRING) === 0 || !isOrder(operator))
    return undefined;
  if (parseDecimal(side.value) === undefined) return undefined;
  return diagnose('text-order', side.span, { text: side.value });
}

/** The comparison whose answer this one compares, without parentheses around it: `a < b` of `a < b < c`. */
export function findPreviousComparison(node: Comparison): Comparison | undefined {
  const left = leftOf(node);
  return isComparison(node) && isComparison(left) && left.span.start === node.span.start ? left : undefined;
}

/** Comparisons in a row, up to the last of them. Where all point the same way, what was meant is certain. */
export function diagnoseChainedComparison(last: Comparison, source: string): Diagnostic {
  const row: Comparison[] = [];
  for (let node: Comparison | undefined = last; node !== undefined; node = findPreviousComparison(node))
    row.unshift(node);
  return diagnose('chained-comparison', last.span, undefined, unchain(last, row, source));
}

/** Each two neighbours compared, joined by `and`; only for an order that goes one way. */
function unchain({ span }: Expression, row: readonly Comparison[], source: string): Fix | undefined {
  const steps = row.filter((step) => step.kind !== 'membership');
  const directions = new Set(steps.map(({ operator }) => operator.charAt(0)));
  const ordered = steps.length === row.length && steps.every(({ operator }) => isOrder(operator));
  if (!ordered || directions.size > 1) return undefined;
  const text = steps.map(({ left, operator, right }, index) => {
    return `${written(steps[index - 1]?.right ?? left, source)} ${operator} ${written(right, source)}`;
  });
  return { span, text: `(${text.join(' and ')})` };
}

/** An operand as it stands in the source; its span is without the parentheses around it. */
function written(node: Expression, source: string): string {
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

function leftOf(node: Comparison): Expression {
  return node.kind === 'membership' ? node.operand : node.left;
}

function isOrder(operator: string): boolean {
  return operator === '<' || operator === '<=' || operator === '>' || operator === '>=';
}
