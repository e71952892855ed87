import type { Expression } from '../lang/ast.ts';
import { getChildren } from '../lang/ast.ts';
import { checkTree } from '../lang/check/check.ts';
import { getPropertySchema, type Schema } from '../lang/check/schema.ts';
import type { OperatorRow } from '../lang/operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, NOW, PREFIX } from '../lang/operators/table.ts';
import type { Span } from '../lang/source.ts';
import { tryParse } from '../lang/syntax/parse.ts';
import { printInline } from '../lang/syntax/print.ts';
import { getTypeNames, type TypeName } from '../lang/types.ts';
import { unreachable } from '../lang/util/unreachable.ts';
import { describeOperator, describeProperty } from './documentation.ts';

/** What there is to say about a place. */
export interface Hover {
  /** The smallest expression around the place. */
  readonly span: Span;
  /** The expression on one line. */
  readonly code: string;
  /** The types that its value can have. */
  readonly types: readonly TypeName[];
  /** Markdown: what the operator does, or what is known of the property. */
  readonly documentation?: string;
}

/** What to show over an offset of an expression; nothing around it, and in a text that is no expression. */
export function hover(source: string, offset: number, schema?: Schema): Hover | undefined {
  const { tree } = tryParse(source);
  if (tree === undefined) return undefined;
  const node = smallestAround(tree, offset);
  if (node === undefined) return undefined;
  const types = checkTree(source, tree, 'value', schema).facts.get(node)?.types ?? 0;
  const documentation = documentationOf(node, schema);
  return {
    span: node.span,
    code: printInline(node),
    types: getTypeNames(types),
    ...(documentation !== undefined && { documentation }),
  };
}

function smallestAround(node: Expression, offset: number): Expression | undefined {
  if (offset < node.span.start || offset >= node.span.end) return undefined;
  for (const child of getChildren(node)) {
    const found = smallestAround(child, offset);
    if (found !== undefined) return found;
  }
  return node;
}

function documentationOf(node: Expression, schema: Schema | undefined): string | undefined {
  if (node.kind === 'literal') return undefined;
  if (node.kind !== 'property') return describeOperator(rowOf(node));
  const known = getPropertySchema(schema, node);
  return known && describeProperty(known);
}

function rowOf(node: Exclude<Expression, { kind: 'literal' | 'property' }>): OperatorRow {
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
