import type { Expression } from '../ast.ts';
import { applyOperator, getResultTypes } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { CONDITION, isSubset, type TypeSet, UNDEFINED } from '../types.ts';
import { getType, type Value } from '../value.ts';

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

/** Returns the facts of a constant. */
export function toConstant(value: Value): NodeFacts {
  return { types: getType(value), constant: { value }, fallible: false };
}

/** Derives the facts of a strict operator from those of its operands. */
export function findStrictFacts(row: StrictRow, left: NodeFacts, right: NodeFacts | undefined): NodeFacts {
  if (right === undefined) {
    if (left.constant) return toConstant(applyOperator(row, [left.constant.value]));
    return toFacts(getResultTypes(row, [left.types]), left.fallible);
  }
  if (left.constant && right.constant) {
    return toConstant(applyOperator(row, [left.constant.value, right.constant.value]));
  }
  return toFacts(getResultTypes(row, [left.types, right.types]), left.fallible || right.fallible);
}

/** Returns the facts of a node with these types. A node that can only be undefined, and cannot fail, is constant. */
function toFacts(types: TypeSet, fallible: boolean): NodeFacts {
  return types === UNDEFINED && !fallible ? toConstant(undefined) : { types, fallible };
}
