import { formatProperty, quoteString } from '../../base/strings.ts';
import { unreachable } from '../../base/unreachable.ts';
import type { Expression, Literal } from '../ast.ts';
import { getPower } from '../operators/table.ts';
import { takeSteps } from '../steps.ts';

/** The maximum columns of a line. A single comparison is never broken, so it can be longer. */
const WIDTH = 80;
const INDENT = '  ';

/**
 * Prints a tree as source that parses to the same tree, with words in lower case, double quotes and no needless
 * parentheses. Long expressions are broken at `and` and `or`, long lists between their items.
 */
export function print(tree: Expression): string {
  return printLines(tree, 0, '');
}

/** Prints a tree as source on one line of any length, which parses to the same tree. */
export function printInline(tree: Expression): string {
  return printOperand(tree, 0);
}

/** Prints a node on one line, in parentheses if it binds looser than `power`. */
function printOperand(node: Expression, power: number): string {
  const text = printNode(node);
  return getPower(node) < power ? `(${text})` : text;
}

function printNode(node: Expression): string {
  takeSteps(1);
  const power = getPower(node);
  switch (node.kind) {
    case 'literal':
      return printLiteral(node);
    case 'property':
      return formatProperty(node.scope, node.name);
    case 'now':
      return 'now';
    case 'call':
      return `${node.operator}(${printOperand(node.operand, 0)})`;
    case 'prefix':
      return printPrefix(node.operator, printOperand(node.operand, power));
    case 'binary':
    case 'timeComparison':
      // Operators group to the left, so an equal one on the right needs parentheses.
      return `${printOperand(node.left, power)} ${node.operator} ${printOperand(node.right, power + 1)}`;
    case 'membership':
      return `${printOperand(node.operand, power)} in [${node.items.map(printLiteral).join(', ')}]`;
    case 'logical':
      return node.operands.map((operand) => printOperand(operand, power + 1)).join(` ${node.operator} `);
    default:
      return unreachable(node);
  }
}

function printPrefix(operator: string, operand: string): string {
  return operator === '-' ? `-${operand}` : `${operator} ${operand}`;
}

function printLiteral({ value }: Literal): string {
  return typeof value === 'string' ? quoteString(value) : String(value);
}

/**
 * Prints a node like `printOperand`, but breaks it into lines if it is too long for one. All lines but the first begin
 * with the margin; the first has `taken` columns before it.
 */
function printLines(node: Expression, power: number, margin: string, taken = margin.length): string {
  const text = printOperand(node, power);
  if (taken + text.length <= WIDTH) return text;
  if (getPower(node) < power) return `(\n${margin}${INDENT}${printLines(node, 0, margin + INDENT)}\n${margin})`;
  switch (node.kind) {
    case 'logical': {
      const lead = `${node.operator} `;
      const lines = node.operands.map((operand, index) => {
        const power = getPower(node) + 1;
        // The lines of a chain of `and` in a chain of `or` are indented.
        const inner = operand.kind === 'logical' && getPower(operand) >= power ? margin + INDENT : margin;
        if (index === 0) return printLines(operand, power, inner, taken);
        return lead + printLines(operand, power, inner, margin.length + lead.length);
      });
      return lines.join(`\n${margin}`);
    }
    case 'prefix': {
      const lead = printPrefix(node.operator, '');
      return lead + printLines(node.operand, getPower(node), margin, taken + lead.length);
    }
    case 'membership': {
      const items = fillLines(node.items.map(printLiteral), margin + INDENT);
      return `${printOperand(node.operand, getPower(node))} in [\n${items}\n${margin}]`;
    }
    default:
      return text;
  }
}

/** Joins items by commas into lines that begin with the margin, with as many items on each as fit. */
function fillLines(items: readonly string[], margin: string): string {
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
