import { unreachable } from '../base/unreachable.ts';
import type { Expression } from '../lang/ast.ts';
import { getChildren } from '../lang/ast.ts';
import { checkTree } from '../lang/check/check.ts';
import { getPropertySchema, type Schema } from '../lang/check/schema.ts';
import type { OperatorRow } from '../lang/operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, NOW, PREFIX } from '../lang/operators/table.ts';
import type { Span } from '../lang/source.ts';
import { tryParse } from '../lang/syntax/parse.ts';
import { printInline } from '../lang/syntax/print.ts';
import { getTypeNames, showTypes, type TypeName } from '../lang/types.ts';
import { describeOperator, describeProperty } from './documentation.ts';

/** Information about the expression at an offset. */
export interface Hover {
  /** The smallest expression around the offset. */
  readonly span: Span;
  /** The expression on one line. */
  readonly code: string;
  /** The types that its value can have. */
  readonly types: readonly TypeName[];
  /** Markdown: the description of the operator or property. */
  readonly documentation?: string;
}

/** Returns information about the expression at an offset. `undefined` outside of one, and after a syntax error. */
export function hover(source: string, offset: number, schema?: Schema): Hover | undefined {
  const { tree } = tryParse(source);
  if (tree === undefined) return undefined;
  const node = findSmallestAround(tree, offset);
  if (node === undefined) return undefined;
  const types = checkTree(source, tree, 'value', { schema }).facts.get(node)?.types ?? 0;
  const documentation = describeNode(node, schema);
  return {
    span: node.span,
    code: printInline(node),
    types: getTypeNames(types),
    ...(documentation !== undefined && { documentation }),
  };
}

/** Describes a hover in Markdown: its code, its types and its documentation. */
export function describeHover({ code, types, documentation }: Hover): string {
  const parts = [`\`\`\`onwhere\n${code}\n\`\`\``, showTypes(types)];
  if (documentation !== undefined) parts.push(documentation);
  return parts.join('\n\n');
}

function findSmallestAround(node: Expression, offset: number): Expression | undefined {
  if (offset < node.span.start || offset >= node.span.end) return undefined;
  for (const child of getChildren(node)) {
    const found = findSmallestAround(child, offset);
    if (found !== undefined) return found;
  }
  return node;
}

function describeNode(node: Expression, schema: Schema | undefined): string | undefined {
  if (node.kind === 'literal') return undefined;
  if (node.kind !== 'property') return describeOperator(getRow(node));
  const known = getPropertySchema(schema, node);
  return known && describeProperty(known);
}

function getRow(node: Exclude<Expression, { kind: 'literal' | 'property' }>): OperatorRow {
  switch (node.kind) {
    case 'now':
      return NOW;
    case 'call':
      return FUNCTIONS[node.operator];
    case 'prefix':
      return PREFIX[node.operator];
    case 'binary':
    case 'timeComparison':
    case 'membership':
      return BINARY[node.operator];
    case 'logical':
      return LOGICAL[node.operator];
    default:
      return unreachable(node);
  }
}
