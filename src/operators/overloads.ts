import { isSubset, type TypeSet, typeNames, typeSet, UNDEFINED } from '../language/types.ts';
import { typeOf, type Value } from '../language/value.ts';
import type { Overload, StrictRow } from './row.ts';

/** The overloads that operands of these static types can meet. */
export function candidates(row: StrictRow, operands: readonly TypeSet[]): readonly Overload[] {
  return row.overloads.filter((overload) =>
    overload.operands.every((accepted, index) => ((operands[index] ?? 0) & accepted) !== 0),
  );
}

/** The types that the operator's answer can have, for operands of these static types. */
export function resultTypes(row: StrictRow, operands: readonly TypeSet[]): TypeSet {
  const reachable = candidates(row, operands);
  const results = reachable.reduce((types, overload) => types | overload.result, 0);
  return covers(reachable, operands) ? results : results | UNDEFINED;
}

/** Whether every combination of the operands' types has an overload. */
function covers(overloads: readonly Overload[], operands: readonly TypeSet[]): boolean {
  return combinations(operands).every((types) => overloads.some((overload) => accepts(overload, types)));
}

function combinations(operands: readonly TypeSet[]): TypeSet[][] {
  return operands.reduce<TypeSet[][]>(
    (combined, set) => combined.flatMap((types) => singletons(set).map((type) => [...types, type])),
    [[]],
  );
}

function singletons(set: TypeSet): TypeSet[] {
  return typeNames(set).map((name) => typeSet([name]));
}

function accepts(overload: Overload, operands: readonly TypeSet[]): boolean {
  return overload.operands.every((accepted, index) => isSubset(operands[index] ?? 0, accepted));
}

/** What a strict operator answers for these values. */
export function apply(row: StrictRow, operands: readonly Value[]): Value {
  const types = operands.map(typeOf);
  const overload = row.overloads.find((candidate) => accepts(candidate, types));
  return overload?.answer(...(operands as never[]));
}
