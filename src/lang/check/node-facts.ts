import type { Expression } from '../ast.ts';
import { CONDITION, isSubset, type TypeSet } from '../types.ts';
import type { Value } from '../value.ts';

/** What is known of a node without a record (language, section 6). */
export interface NodeFacts {
  /** The types that its value can have. */
  readonly types: TypeSet;
  /** Its value, where that is the same for every record. */
  readonly constant?: { readonly value: Value };
  /** Whether evaluating it can raise a type error. */
  readonly fallible: boolean;
}

/** What is known of a node of a checked tree. */
export function getFacts(node: Expression, known: ReadonlyMap<Expression, NodeFacts>): NodeFacts {
  const facts = known.get(node);
  if (facts === undefined) throw new Error('The tree has a node that was not checked');
  return facts;
}

/** Whether judging a node as an operand of `and` or `or`, or as a filter, can raise a type error. */
export function canFail({ fallible, types }: NodeFacts): boolean {
  return fallible || !isSubset(types, CONDITION);
}
