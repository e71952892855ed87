import type { Expression } from '../ast.ts';
import { CONDITION, isSubset, type TypeSet } from '../types.ts';
import type { Value } from '../value.ts';

/** Facts about a node that hold for every record (language, section 6). */
export interface NodeFacts {
  /** The types that its value can have. */
  readonly types: TypeSet;
  /** Its value, if that is the same for every record. */
  readonly constant?: { readonly value: Value };
  /** True if evaluating it can raise a type error. */
  readonly fallible: boolean;
}

/** Returns the facts about a node of a checked tree. */
export function getFacts(node: Expression, known: ReadonlyMap<Expression, NodeFacts>): NodeFacts {
  const facts = known.get(node);
  if (facts === undefined) throw new Error('The tree has a node that was not checked');
  return facts;
}

/** Returns whether a node can raise a type error as a filter, or as an operand of `and` or `or`. */
export function canFail({ fallible, types }: NodeFacts): boolean {
  return fallible || !isSubset(types, CONDITION);
}
