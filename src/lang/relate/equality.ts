import type { Use } from '../check/check.ts';
import { listSegments, toNumberOrZero } from '../operators/coercions.ts';
import { BINARY } from '../operators/table.ts';
import type { Plan } from '../plan/plan.ts';
import { BOOLEAN } from '../types.ts';
import { isEqual, type Value } from '../value.ts';

/** A use in which the value of an expression counts, not whether it is true. */
export type ValueUse = Exclude<Use, 'where'>;

/** Reads a value as each use does. Values are the same in a use if these are equal (language, section 5). */
export const READ: Readonly<Record<ValueUse, (value: Value) => Value>> = {
  on: (value) => listSegments(value).sort(),
  number: toNumberOrZero,
  value: (value) => value,
};

/** Plans whether two expressions have the same value in a use. */
export function planEquality(left: Plan, right: Plan, use: ValueUse): Plan {
  const row = BINARY['=='];
  const evaluate = (one: Value, other: Value) => isEqual(READ[use](one), READ[use](other));
  // Comparisons with the name `==` depend on types and order alone.
  const used =
    use === 'value' ? row : { ...row, name: 'same', overloads: [{ ...row.overloads[0], id: use, evaluate }] };
  return { kind: 'apply', row: used, overloads: [], operands: [left, right], types: BOOLEAN };
}
