import { describe, expect, it } from 'vitest';
import { getResultTypes } from '../../../src/lang/operators/overloads.ts';
import type { StrictRow } from '../../../src/lang/operators/row.ts';
import { OPERATORS } from '../../../src/lang/operators/table.ts';
import { isSubset, type TypeSet, UNDEFINED } from '../../../src/lang/types.ts';

const STRICT = OPERATORS.filter((row): row is StrictRow => 'overloads' in row);
const SETS: readonly TypeSet[] = Array.from({ length: 64 }, (_, set) => set);
const SINGLE: readonly TypeSet[] = SETS.filter((set) => set !== 0 && (set & (set - 1)) === 0);

/** Returns the result types of operands that have one type each. */
function getTypes({ overloads }: StrictRow, types: readonly TypeSet[]): TypeSet {
  const taken = overloads.find(({ operands }) => types.every((type, index) => isSubset(type, operands[index] ?? 0)));
  return taken?.result ?? UNDEFINED;
}

describe.each(STRICT.map((row) => [`${row.fixity} ${row.name}`, row] as const))('the result types of %s', (_, row) => {
  it('are those of all combinations of operand types', () => {
    const isUnary = row.fixity !== 'infix';
    for (const left of SETS) {
      for (const right of isUnary ? [0] : SETS) {
        const pairs = SINGLE.filter((type) => isSubset(type, left)).flatMap((type) =>
          isUnary ? [[type]] : SINGLE.filter((other) => isSubset(other, right)).map((other) => [type, other]),
        );
        const expected = pairs.reduce<TypeSet>((types, pair) => types | getTypes(row, pair), 0);
        const found = getResultTypes(row, isUnary ? [left] : [left, right]);
        if (found !== expected) expect.fail(`${row.name} of ${left} and ${right}: ${found}, not ${expected}`);
      }
    }
  });
});
