import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toNumberOrZero, toSegmentNames } from '../../../src/lang/operators/coercions.ts';
import { applyOperator } from '../../../src/lang/operators/overloads.ts';
import type { Apply, Plan } from '../../../src/lang/plan/plan.ts';
import { planEquality } from '../../../src/lang/relate/equality.ts';
import { TRANSFERS } from '../../../src/lang/relate/transfers.ts';
import { HAS_TRUE, toTypes, toValueSet } from '../../../src/lang/relate/value-set.ts';
import { getType, isEqual, type Scalar, type Value } from '../../../src/lang/value.ts';

const scalar = fc.constantFrom<Scalar>('a', 'b', '1', 'true', 'null', '', 1, 0, -0.5, true, false, null);
const value = fc.oneof(scalar, fc.constant(undefined), fc.array(scalar, { maxLength: 3 })) as fc.Arbitrary<Value>;
const nothing: Plan = { kind: 'constant', value: undefined, types: getType(undefined) };

/** Returns whether two values are the same in a use, as the language defines it. */
const SAME = {
  on: (left: Value, right: Value) => {
    const [one, other] = [new Set(toSegmentNames(left)), new Set(toSegmentNames(right))];
    return one.size === other.size && [...one].every((name) => other.has(name));
  },
  number: (left: Value, right: Value) => toNumberOrZero(left) === toNumberOrZero(right),
  value: isEqual,
};

it.each(['on', 'number', 'value'] as const)('values are the same in the use %s as the language says', (use) => {
  const { row } = planEquality(nothing, nothing, use) as Apply;
  const seen = new Set<boolean>();
  const law = fc.property(value, value, (left, right) => {
    const same = SAME[use](left, right);
    seen.add(same);
    expect(applyOperator(row, [left, right])).toBe(same);
    if (!same || use === 'value') return;
    for (const set of [toValueSet(right), toTypes(getType(right))])
      expect(TRANSFERS[use](toValueSet(left), set).truths & HAS_TRUE).toBe(HAS_TRUE);
  });
  fc.assert(law, { numRuns: 3_000 });
  expect(seen.size).toBe(2);
});
