import { ANY, isSubset, type TypeSet, UNDEFINED } from '../types.ts';
import { getType, type Value } from '../value.ts';
import type { Overload, StrictRow } from './row.ts';

/** The overloads that operands of these static types can meet. */
export function findOverloads<Id extends string>(
  row: StrictRow<Id>,
  operands: readonly TypeSet[],
): readonly Overload<Id>[] {
  const left = operands[0] ?? 0;
  const right = second(operands);
  return row.overloads.filter(
    ({ operands: accepted }) => ((accepted[0] ?? 0) & left) !== 0 && (second(accepted) & right) !== 0,
  );
}

/** The types that the operator's answer can have, for operands of these static types. */
export function getResultTypes({ overloads }: StrictRow, operands: readonly TypeSet[]): TypeSet {
  const left = operands[0] ?? 0;
  const right = second(operands);
  let results: TypeSet = 0;
  for (const { operands: accepted, result } of overloads) {
    if (((accepted[0] ?? 0) & left) !== 0 && (second(accepted) & right) !== 0) results |= result;
  }
  return covers(overloads, left, right) ? results : results | UNDEFINED;
}

/** Whether each type on the left has, with each on the right, an overload. */
function covers(overloads: readonly Overload[], left: TypeSet, right: TypeSet): boolean {
  for (let rest = left; rest !== 0; rest &= rest - 1) {
    const type = rest & -rest;
    let taken: TypeSet = 0;
    for (const { operands: accepted } of overloads) if (((accepted[0] ?? 0) & type) !== 0) taken |= second(accepted);
    if (!isSubset(right, taken)) return false;
  }
  return true;
}

/** What has a single operand takes anything for a second one. */
function second(operands: readonly TypeSet[]): TypeSet {
  return operands.length > 1 ? (operands[1] ?? 0) : ANY;
}

/** What a strict operator answers for these values. */
export function applyOperator(row: StrictRow, operands: readonly Value[]): Value {
  const overload = row.overloads.find((candidate) =>
    candidate.operands.every((accepted, index) => isSubset(getType(operands[index]), accepted)),
  );
  return overload?.answer(...(operands as never[]));
}
