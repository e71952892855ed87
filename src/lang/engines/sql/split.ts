import type { Expression, Logical } from '../../ast.ts';
import type { Checked } from '../../check/check.ts';
import { canFail, getFacts } from '../../check/node-facts.ts';

/** A filter in two parts. It selects the records that both parts select. */
export interface Split {
  /** The part for the database, or undefined if the database cannot narrow down the records. */
  readonly pushed: Expression | undefined;
  /** The part to evaluate on the records that the database selects, or undefined if nothing is left. */
  readonly rest: Expression | undefined;
}

/**
 * Splits a filter into a supported part and the rest. A part that can raise a type error must see every record, so
 * nothing is pushed if such a part is left.
 */
export function split(checked: Checked, isSupported: (node: Expression) => boolean): Split {
  const { tree, facts } = checked;
  if (isSupported(tree)) return { pushed: tree, rest: undefined };
  const isConjunction = tree.kind === 'logical' && tree.operator === 'and';
  const unsupported = isConjunction ? tree.operands.filter((operand) => !isSupported(operand)) : [tree];
  const mayFail = unsupported.some((node) => canFail(getFacts(node, facts)));
  const pushed = mayFail ? undefined : findNecessary(tree, isSupported);
  return { pushed, rest: pushed === undefined || !isConjunction ? tree : createChain(tree, unsupported) };
}

/** Returns a supported condition that is true whenever the node is true, if there is one. */
function findNecessary(node: Expression, isSupported: (node: Expression) => boolean): Expression | undefined {
  if (isSupported(node)) return node;
  if (node.kind !== 'logical') return undefined;
  const parts = node.operands.map((operand) => findNecessary(operand, isSupported));
  const known = parts.filter((part) => part !== undefined);
  const isEnough = node.operator === 'and' ? known.length > 0 : known.length === parts.length;
  return isEnough ? createChain(node, known) : undefined;
}

/**
 * Returns a chain of some of its operands. Even a single one stays in a chain, so that type errors name the operator.
 */
function createChain(node: Logical, operands: readonly Expression[]): Logical {
  const [only] = operands;
  if (only === undefined || operands.length > 1) return { ...node, operands };
  const neutral = { kind: 'literal', value: node.operator === 'and', span: only.span } as const;
  return { ...node, operands: [only, neutral] };
}
