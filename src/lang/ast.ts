import type { BinaryName, ComparisonName, FunctionName, LogicalName, PrefixName } from './operators/table.ts';
import type { Span } from './source.ts';

export type { BinaryName, ComparisonName, FunctionName, LogicalName, PrefixName };

/** The scopes of properties. `event` means the same as `properties`; the tree keeps the word that was written. */
export const SCOPES = ['properties', 'event', 'user'] as const;

export type Scope = (typeof SCOPES)[number];

/** A string, a finite number, `true` or `false`. */
export interface Literal {
  readonly kind: 'literal';
  readonly value: string | number | boolean;
  readonly span: Span;
}

export interface Property {
  readonly kind: 'property';
  readonly scope: Scope;
  readonly name: string;
  readonly span: Span;
}

/** `now`, the time of the query. */
export interface NowNode {
  readonly kind: 'now';
  readonly span: Span;
}

export interface Call {
  readonly kind: 'call';
  readonly operator: FunctionName;
  readonly operand: Expression;
  readonly span: Span;
}

export interface Prefix {
  readonly kind: 'prefix';
  readonly operator: PrefixName;
  readonly operand: Expression;
  readonly span: Span;
}

export interface Binary {
  readonly kind: 'binary';
  readonly operator: BinaryName;
  readonly left: Expression;
  readonly right: Expression;
  readonly span: Span;
}

/**
 * A comparison with a `datetime(...)` call on one side. The other side is read through `datetime` too (language,
 * section 4, rule 10).
 */
export interface TimeComparison {
  readonly kind: 'timeComparison';
  readonly operator: ComparisonName;
  readonly left: Expression;
  readonly right: Expression;
  readonly span: Span;
}

/** `in` with a literal list, as in `properties["plan"] in ["free", "pro"]`. */
export interface Membership {
  readonly kind: 'membership';
  readonly operator: 'in';
  readonly operand: Expression;
  readonly items: readonly Literal[];
  readonly span: Span;
}

/** A chain of one operator: `a and b and c` is one node with three operands, so that no phase recurses along it. */
export interface Logical {
  readonly kind: 'logical';
  readonly operator: LogicalName;
  readonly operands: readonly Expression[];
  readonly span: Span;
}

export type Expression = Literal | Property | NowNode | Call | Prefix | Binary | TimeComparison | Membership | Logical;

export type Kind = Expression['kind'];
export type NodeOf<K extends Kind> = Extract<Expression, { kind: K }>;

/** The keys that hold child expressions, for each kind of node, in source order. */
export const CHILD_KEYS: { readonly [K in Kind]: readonly Exclude<keyof NodeOf<K>, 'kind' | 'span'>[] } = {
  literal: [],
  property: [],
  now: [],
  call: ['operand'],
  prefix: ['operand'],
  binary: ['left', 'right'],
  timeComparison: ['left', 'right'],
  membership: ['operand', 'items'],
  logical: ['operands'],
};

/** Returns whether an operand is a `datetime(...)` call, which makes its comparison a {@link TimeComparison}. */
export function isDatetimeCall(node: Expression): boolean {
  return node.kind === 'call' && node.operator === 'datetime';
}

/** Returns the children of a node, in source order. */
export function getChildren(node: Expression): readonly Expression[] {
  const values = node as unknown as Readonly<Record<string, Expression | readonly Expression[]>>;
  return CHILD_KEYS[node.kind].flatMap((key) => values[key] ?? []);
}

/** Yields all nodes of a tree, parents before their children, in source order. */
export function* walk(root: Expression): Generator<Expression> {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    for (const child of getChildren(node).toReversed()) pending.push(child);
  }
}
