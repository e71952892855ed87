import fc from 'fast-check';
import { unreachable } from '../../../src/base/unreachable.ts';

interface Change<Unit> {
  readonly at: number;
  readonly by: 'drop' | 'insert' | 'replace' | 'swap';
  /** The unit to insert, or the replacement. */
  readonly unit: Unit;
}

/** Makes one or two small changes to a row: drops, inserts or replaces a unit, or swaps it with the next one. */
export function changed<Unit>(
  row: fc.Arbitrary<readonly Unit[]>,
  unit: fc.Arbitrary<Unit>,
): fc.Arbitrary<readonly Unit[]> {
  const change = fc
    .tuple(fc.nat(), fc.constantFrom('drop', 'insert', 'replace', 'swap'), unit)
    .map(([at, by, unit]): Change<Unit> => ({ at, by, unit }));
  return fc
    .tuple(row, fc.array(change, { minLength: 1, maxLength: 2 }))
    .map(([units, changes]) => changes.reduce(apply, units));
}

function apply<Unit>(row: readonly Unit[], { at, by, unit }: Change<Unit>): readonly Unit[] {
  const place = at % (row.length + 1);
  switch (by) {
    case 'drop':
      return row.toSpliced(place, 1);
    case 'insert':
      return row.toSpliced(place, 0, unit);
    case 'replace':
      return row.toSpliced(place, 1, unit);
    case 'swap':
      return row.toSpliced(place, 2, ...row.slice(place, place + 2).toReversed());
    default:
      return unreachable(by);
  }
}
