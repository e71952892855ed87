import { ANY, isSubset, type TypeSet, UNDEFINED } from '../types.ts';
import { getType, type Value } from '../value.ts';
import type { Overload, StrictRow } from './row.ts';

/** Returns the overloads that operands of these static types can match. */
export function findOverloads<Id extends string>(
  row: StrictRow<Id>,
  operands: readonly TypeSet[],
): readonly Overload<Id>[] {
  const left = operands[0] ?? 0;
  const right = getSecond(operands);
  return row.overloads.filter(
    ({ operands: accepted }) => ((accepted[0] ?? 0) & left) !== 0 && (getSecond(accepted) & right) !== 0,
  );
}

/** Returns the types that the result can have for operands of these static types. */
export function getResultTypes({ overloads }: StrictRow, operands: readonly TypeSet[]): TypeSet {
  const left = operands[0] ?? 0;
  const right = getSecond(operands);
  let results: TypeSet = 0;
  for (const { operands: accepted, result } of overloads) {
    if (((accepted[0] ?? 0) & left) !== 0 && (getSecond(accepted) & right) !== 0) results |= result;
  }
  return matchesAll(overloads, left, right) ? results : results | UNDEFINED;
}

/** Returns whether every pair of a left type and a right type has an overload. */
function matchesAll(overloads: readonly Overload[], left: TypeSet, right: TypeSet): boolean {
  for (let rest = left; rest !== 0; rest &= rest - 1) {
    const type = rest & -rest;
    let matched: TypeSet = 0;
    for (const { operands: accepted } of overloads) {
      if (((accepted[0] ?? 0) & type) !== 0) matched |= getSecond(accepted);
    }
    if (!isSubset(right, matched)) return false;
  }
  return true;
}

/** Returns the types of the second operand. An operator with one operand accepts any second type. */
function getSecond(operands: readonly TypeSet[]): TypeSet {
  return operands.length > 1 ? (operands[1] ?? 0) : ANY;
}

/** Evaluates a strict operator on values. */
export function applyOperator(row: StrictRow, operands: readonly Value[]): Value {
  const overload = row.overloads.find((candidate) =>
    candidate.operands.every((accepted, index) => isSubset(getType(operands[index]), accepted)),
  );
  return overload?.evaluate(...(operands as never[]));
}
