import type { BinaryName, Expression, FunctionName, Kind, LogicalName, PrefixName } from '../ast.ts';
import { getChildren } from '../ast.ts';
import type { Checked, PropertyRead } from '../check/check.ts';
import type { Span } from '../source.ts';
import { printInline } from '../syntax/print.ts';
import { getTypeNames, type TypeName } from '../types.ts';
import type { Value } from '../value.ts';

/** A subexpression with the facts that hold for every record: plain data. */
export interface Explained {
  readonly kind: Kind;
  /** The operator, the function, `and` or `or`. Omitted for other kinds. */
  readonly operator?: BinaryName | PrefixName | LogicalName | FunctionName;
  /** The property that it reads, if its kind is `property`. */
  readonly property?: PropertyRead;
  readonly span: Span;
  /** Its canonical source on one line. */
  readonly code: string;
  /** The types that its value can have. */
  readonly types: readonly TypeName[];
  /** Its value, if that is the same for every record. */
  readonly constant?: { readonly value: Value };
  /** Its operands in source order, including the items of a literal list. */
  readonly children: readonly Explained[];
}

/** Explains a node and all nodes below it. */
export function explainTree(node: Expression, checked: Checked): Explained {
  return { ...explainNode(node, checked), children: getChildren(node).map((child) => explainTree(child, checked)) };
}

/** Explains a node without its children. */
export function explainNode(node: Expression, { facts }: Checked): Omit<Explained, 'children'> {
  const { types = 0, constant } = facts.get(node) ?? {};
  return {
    kind: node.kind,
    ...('operator' in node && { operator: node.operator }),
    ...(node.kind === 'property' && { property: { scope: getScope(node), name: node.name } }),
    span: node.span,
    code: printInline(node),
    types: getTypeNames(types),
    ...(constant !== undefined && { constant }),
  };
}

/** Returns `properties` for `event`, which means the same. */
function getScope({ scope }: { readonly scope: string }): PropertyRead['scope'] {
  return scope === 'user' ? 'user' : 'properties';
}
