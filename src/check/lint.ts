import type { Binary, Expression, Membership, TimeComparison } from '../language/ast.ts';
import { type Diagnostic, diagnose, type Fix } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import { describeTypes, STRING, UNDEFINED } from '../language/types.ts';
import { parseDecimal } from '../language/value.ts';
import { walk } from '../language/visit.ts';
import { candidates } from '../operators/overloads.ts';
import { POWER, type StrictRow } from '../operators/row.ts';
import { powerOf } from '../operators/table.ts';
import type { Facts } from './facts.ts';

/** An operation that is always undefined. One whose operand is that already has been reported there. */
export function noAnswer(span: Span, row: StrictRow, operands: readonly Facts[], { types }: Facts): Diagnostic[] {
  if (types !== UNDEFINED || operands.some((operand) => operand.types === UNDEFINED)) return [];
  const found = operands.map((operand) => operand.types);
  if (candidates(row, found).length > 0) return [diagnose('no-value', span, { operator: row.name })];
  const takes = row.overloads.map(({ operands: taken }) => taken.map(describeTypes).join(' and ')).join(', or ');
  return [diagnose('always-undefined', span, { operator: row.name, found, takes })];
}

type Comparison = Binary | TimeComparison | Membership;

/** A comparison of types that never meet. */
export function neverEqual(node: Comparison, left: Pick<Facts, 'types'>, right: Pick<Facts, 'types'>): Diagnostic[] {
  const { operator, kind } = node;
  if (operator !== '==' && operator !== '!=' && kind !== 'membership') return [];
  if ((left.types & right.types) !== 0 || left.types === UNDEFINED || right.types === UNDEFINED) return [];
  return [
    diagnose('never-equal', node.span, { operator, left: left.types, right: right.types, answer: operator === '!=' }),
  ];
}

/** Text in order with a literal that looks like a number. */
export function textOrder({ operator, left, right }: Binary, leftFacts: Facts, rightFacts: Facts): Diagnostic[] {
  if (!isOrder(operator) || (leftFacts.types & rightFacts.types & STRING) === 0) return [];
  return [left, right].flatMap((side) =>
    side.kind === 'literal' && typeof side.value === 'string' && parseDecimal(side.value) !== undefined
      ? [diagnose('text-order', side.span, { text: side.value })]
      : [],
  );
}

/**
 * Comparisons in a row, each row reported once: `a < b < c` compares the answer of `a < b` with `c`. Where all point the same
 * way, what was meant is certain.
 */
export function chainedComparisons(tree: Expression, source: string): Diagnostic[] {
  const reported = new Set<Expression>();
  const found: Diagnostic[] = [];
  for (const node of walk(tree)) {
    if (reported.has(node)) continue;
    const row = comparisonRow(node);
    if (row.length < 2) continue;
    for (const comparison of row) reported.add(comparison);
    found.push(diagnose('chained-comparison', node.span, undefined, unchain(node, row, source)));
  }
  return found;
}

/** The comparisons from the first of a row to this node: each is, without parentheses around it, the left side of the next. */
function comparisonRow(node: Expression): readonly Comparison[] {
  if (!isComparison(node)) return [];
  const left = leftOf(node);
  return left.span.start === node.span.start ? [...comparisonRow(left), node] : [node];
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
  return powerOf(node) <= POWER.comparison ? `(${text})` : text;
}

function isComparison(node: Expression): node is Comparison {
  return ['binary', 'timeComparison', 'membership'].includes(node.kind) && powerOf(node) === POWER.comparison;
}

function leftOf(node: Comparison): Expression {
  return node.kind === 'membership' ? node.operand : node.left;
}

function isOrder(operator: string): boolean {
  return ['<', '<=', '>', '>='].includes(operator);
}
