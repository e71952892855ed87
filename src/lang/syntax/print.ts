import type { Expression, Literal } from '../ast.ts';
import { getPower } from '../operators/table.ts';
import { formatProperty, quoteString } from '../util/strings.ts';
import { unreachable } from '../util/unreachable.ts';

/** Columns that a line should not exceed. A single comparison is never broken, however long. */
const WIDTH = 80;
const INDENT = '  ';

/**
 * Writes a tree as text that parses to the same tree: words in lower case, double quotes, no parenthesis that is not needed.
 * What does not fit a line is broken at its `and`s and `or`s, and a written list between its items.
 */
export function print(tree: Expression): string {
  return lay(tree, 0, '');
}

/** Writes a tree on one line, however long, as text that parses to the same tree. */
export function printInline(tree: Expression): string {
  return inline(tree, 0);
}

/** On one line, in parentheses where the place needs something tighter than the node is. */
function inline(node: Expression, power: number): string {
  const text = inlineBare(node);
  return getPower(node) < power ? `(${text})` : text;
}

function inlineBare(node: Expression): string {
  const power = getPower(node);
  switch (node.kind) {
    case 'literal':
      return literal(node);
    case 'property':
      return formatProperty(node.scope, node.name);
    case 'now':
      return 'now';
    case 'call':
      return `${node.operator}(${inline(node.operand, 0)})`;
    case 'prefix':
      return prefixed(node.operator, inline(node.operand, power));
    case 'binary':
    case 'timeComparison':
      // Operators group to the left: an equal one on the right needs parentheses.
      return `${inline(node.left, power)} ${node.operator} ${inline(node.right, power + 1)}`;
    case 'membership':
      return `${inline(node.operand, power)} in [${node.items.map(literal).join(', ')}]`;
    case 'logical':
      return node.operands.map((operand) => inline(operand, power + 1)).join(` ${node.operator} `);
    default:
      return unreachable(node);
  }
}

function prefixed(operator: string, operand: string): string {
  return operator === '-' ? `-${operand}` : `${operator} ${operand}`;
}

function literal({ value }: Literal): string {
  return typeof value === 'string' ? quoteString(value) : String(value);
}

/**
 * Like `inline`, broken over lines that begin with the margin where one line does not hold it. `taken` columns of the first line
 * are taken already.
 */
function lay(node: Expression, power: number, margin: string, taken = margin.length): string {
  const text = inline(node, power);
  if (taken + text.length <= WIDTH) return text;
  if (getPower(node) < power) return `(\n${margin}${INDENT}${lay(node, 0, margin + INDENT)}\n${margin})`;
  switch (node.kind) {
    case 'logical': {
      const lead = `${node.operator} `;
      const laid = node.operands.map((operand, index) => {
        const power = getPower(node) + 1;
        // The lines of a chain of `and` in a chain of `or` stand deeper than those of the `or`.
        const inner = operand.kind === 'logical' && getPower(operand) >= power ? margin + INDENT : margin;
        if (index === 0) return lay(operand, power, inner, taken);
        return lead + lay(operand, power, inner, margin.length + lead.length);
      });
      return laid.join(`\n${margin}`);
    }
    case 'prefix': {
      const lead = prefixed(node.operator, '');
      return lead + lay(node.operand, getPower(node), margin, taken + lead.length);
    }
    case 'membership':
      return `${inline(node.operand, getPower(node))} in [\n${fill(node.items.map(literal), margin + INDENT)}\n${margin}]`;
    default:
      return text;
  }
}

/** As many items on each line as fit. */
function fill(items: readonly string[], margin: string): string {
  const lines: string[] = [];
  let line = margin;
  for (const [index, item] of items.entries()) {
    const piece = index < items.length - 1 ? `${item},` : item;
    if (line !== margin && line.length + 1 + piece.length > WIDTH) {
      lines.push(line);
      line = margin;
    }
    line += line === margin ? piece : ` ${piece}`;
  }
  return [...lines, line].join('\n');
}
