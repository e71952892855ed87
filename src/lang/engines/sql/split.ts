import type { Expression, Logical } from '../../ast.ts';
import type { Checked } from '../../check/check.ts';
import { canFail, getFacts } from '../../check/node-facts.ts';

/** A filter in two parts: a record that it selects is selected by both, and one that both select it selects. */
export interface Split {
  /** What a database answers; nothing where it cannot narrow down the records. */
  readonly pushed: Expression | undefined;
  /** What is left to ask of the records that are selected so far; nothing where that was all. */
  readonly rest: Expression | undefined;
}

/**
 * Splits a filter by which of its parts are supported. A part that can raise a type error must be asked of every record, so that nothing is
 * pushed where such a part is left.
 */
export function split(checked: Checked, isSupported: (node: Expression) => boolean): Split {
  const { tree, facts } = checked;
  if (isSupported(tree)) return { pushed: tree, rest: undefined };
  const isConjunction = tree.kind === 'logical' && tree.operator === 'and';
  const left = isConjunction ? tree.operands.filter((operand) => !isSupported(operand)) : [tree];
  const mayFail = left.some((node) => canFail(getFacts(node, facts)));
  const pushed = mayFail ? undefined : necessary(tree, isSupported);
  return { pushed, rest: pushed === undefined || !isConjunction ? tree : chain(tree, left) };
}

/** A supported condition that holds wherever a node does. */
function necessary(node: Expression, isSupported: (node: Expression) => boolean): Expression | undefined {
  if (isSupported(node)) return node;
  if (node.kind !== 'logical') return undefined;
  const parts = node.operands.map((operand) => necessary(operand, isSupported));
  const known = parts.filter((part) => part !== undefined);
  const isEnough = node.operator === 'and' ? known.length > 0 : known.length === parts.length;
  return isEnough ? chain(node, known) : undefined;
}

/** A chain of some operands. It stays one, so that a type error names its operator. */
function chain(node: Logical, operands: readonly Expression[]): Logical {
  const [only] = operands;
  if (only === undefined || operands.length > 1) return { ...node, operands };
  const neutral = { kind: 'literal', value: node.operator === 'and', span: only.span } as const;
  return { ...node, operands: [only, neutral] };
}
