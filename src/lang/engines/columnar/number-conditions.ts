import type { OverloadId } from '../../operators/table.ts';
import type { Apply, Between, OneOf, Plan } from '../../plan/plan.ts';
import type { Order } from '../../plan/range.ts';
import { isSubset, NUMBER, UNDEFINED } from '../../types.ts';
import { type BatchCondition, COST, createLoopCondition, negate } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import { compileNumbers, createConstantNumbers, type Numbers } from './compile-numbers.ts';
import { testAmong, testAmongFew, testAtMost, testLess, testSame } from './test-kernels.ts';
import type { NumberVector } from './vector.ts';

type ComparisonKernel = (left: NumberVector, right: NumberVector, count: number, bits: Int32Array) => void;

/** Up to this many comparisons are faster than a lookup in a set. */
const MAX_LINEAR_COMPARISONS = 8;

/** The comparisons of two numbers, by overload. */
export const NUMBER_COMPARISONS = {
  equal: testSame,
  'less.number': testLess,
  'atMost.number': testAtMost,
  'greater.number': (left, right, count, bits) => testLess(right, left, count, bits),
  'atLeast.number': (left, right, count, bits) => testAtMost(right, left, count, bits),
} as const satisfies Partial<Record<OverloadId, ComparisonKernel>>;

/** The overload for numbers of each order. */
export const ORDERS = {
  '<': 'less.number',
  '<=': 'atMost.number',
  '>': 'greater.number',
  '>=': 'atLeast.number',
} as const satisfies Record<Order, keyof typeof NUMBER_COMPARISONS>;

/** The overload that is true where an ordering comparison of two numbers is false. */
export const OPPOSITES = {
  'less.number': 'atLeast.number',
  'atMost.number': 'greater.number',
  'greater.number': 'atMost.number',
  'atLeast.number': 'less.number',
} as const satisfies Partial<Record<OverloadId, keyof typeof NUMBER_COMPARISONS>>;

/** Compiles `oneOf` if all values are numbers or the operand can only be a number. */
export function compileOneOf(bound: BoundBatch, { operand, values, negated }: OneOf): BatchCondition | undefined {
  const areNumbers = values.every((value) => typeof value === 'number');
  if (!areNumbers && !isSubset(operand.types, NUMBER | UNDEFINED)) return undefined;
  const source = compileNumbers(bound, operand);
  const found = areNumbers ? compileAmongNumbers(bound, source, values) : compileAmong(bound, source, values);
  return negated ? negate(bound, found) : found;
}

function compileAmongNumbers(bound: BoundBatch, source: Numbers, values: readonly number[]): BatchCondition {
  const [only = Number.NaN] = values;
  if (values.length === 1) return compareNumbers(bound, 'equal', [source, createConstantNumbers(only)]);
  if (values.length > MAX_LINEAR_COMPARISONS) return compileAmong(bound, source, values);
  const few = Float64Array.from(values);
  const cost = source.cost + COST.loop * values.length;
  return createLoopCondition(bound, cost, (among, bits) => testAmongFew(source.read(among), few, among.size, bits));
}

function compileAmong(bound: BoundBatch, source: Numbers, values: OneOf['values']): BatchCondition {
  // A vector stores undefined as NaN, which a set finds too.
  const set = new Set(values.map((value) => (value === undefined ? Number.NaN : value)));
  return createLoopCondition(bound, source.cost + COST.call, (rows, bits) =>
    testAmong(source.read(rows), set, rows.size, bits),
  );
}

/** Compiles a range that the plan expresses as an order and a limit: one comparison is enough. */
export function compareToLimit(
  bound: BoundBatch,
  { operand, limit }: Between,
  id: keyof typeof NUMBER_COMPARISONS,
): BatchCondition {
  return compareNumbers(bound, id, [compileNumbers(bound, operand), createConstantNumbers(limit)]);
}

/** Returns whether an equality need only compare numbers, because values of other types are never equal here. */
export function compareAsNumbers(operands: readonly Plan[]): boolean {
  return (
    operands.some(({ types }) => types === NUMBER) || operands.every(({ types }) => isSubset(types, NUMBER | UNDEFINED))
  );
}

/** Compiles the operands of a binary operator as numbers. */
export function compileOperands(bound: BoundBatch, { operands }: Apply): readonly [Numbers, Numbers] {
  return operands.map((operand) => compileNumbers(bound, operand)) as [Numbers, Numbers];
}

/** Compiles the comparison of two numbers. */
export function compareNumbers(
  bound: BoundBatch,
  id: keyof typeof NUMBER_COMPARISONS,
  [left, right]: readonly [Numbers, Numbers],
): BatchCondition {
  const kernel = NUMBER_COMPARISONS[id];
  return createLoopCondition(bound, left.cost + right.cost + COST.loop, (among, bits) =>
    kernel(left.read(among), right.read(among), among.size, bits),
  );
}
