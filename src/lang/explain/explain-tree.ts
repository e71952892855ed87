import type { BinaryName, Expression, FunctionName, Kind, LogicalName, PrefixName } from '../ast.ts';
import { getChildren } from '../ast.ts';
import type { Checked, PropertyRead } from '../check/check.ts';
import type { Span } from '../source.ts';
import { printInline } from '../syntax/print.ts';
import { getTypeNames, type TypeName } from '../types.ts';
import type { Value } from '../value.ts';

/** What is known of a sub-expression without a record: plain data. */
export interface Explained {
  readonly kind: Kind;
  /** The operator, the function, or `and` or `or`, where there is one. */
  readonly operator?: BinaryName | PrefixName | LogicalName | FunctionName;
  /** What is read, where that is a property. */
  readonly property?: PropertyRead;
  readonly span: Span;
  /** Its canonical text on one line. */
  readonly code: string;
  /** The types that its value can have. */
  readonly types: readonly TypeName[];
  /** Its value, where that is the same for every record. */
  readonly constant?: { readonly value: Value };
  /** The expressions directly below, in source order; the items of a written list are among them. */
  readonly children: readonly Explained[];
}

/** Explains a tree, node by node. */
export function explainTree(node: Expression, checked: Checked): Explained {
  return { ...explainNode(node, checked), children: getChildren(node).map((child) => explainTree(child, checked)) };
}

/** Explains a node without those below. */
export function explainNode(node: Expression, { facts }: Checked): Omit<Explained, 'children'> {
  const { types = 0, constant } = facts.get(node) ?? {};
  return {
    kind: node.kind,
    ...('operator' in node && { operator: node.operator }),
    ...(node.kind === 'property' && { property: { scope: scopeOf(node), name: node.name } }),
    span: node.span,
    code: printInline(node),
    types: getTypeNames(types),
    ...(constant !== undefined && { constant }),
  };
}

/** `event` means the same as `properties`. */
function scopeOf({ scope }: { readonly scope: string }): PropertyRead['scope'] {
  return scope === 'user' ? 'user' : 'properties';
}
