import type { OverloadId } from '../../operators/table.ts';
import type { Apply, Between, OneOf, Plan } from '../../plan/plan.ts';
import type { NumberRange, Order } from '../../plan/range.ts';
import { isSubset, NUMBER, UNDEFINED } from '../../types.ts';
import { type BatchCondition, COST, createLoopCondition, negate } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import { compileNumbers, createComputedNumbers, type Numbers } from './compile-numbers.ts';
import { computeDifferences, findAmong, findSame } from './number-loops.ts';
import { testAmong, testRange } from './test-kernels.ts';

/** Up to this many comparisons are faster than a lookup in a set. */
const MAX_LINEAR_COMPARISONS = 8;

/** The orders of two numbers, by overload. */
const ORDERS = {
  'less.number': '<',
  'atMost.number': '<=',
  'greater.number': '>',
  'atLeast.number': '>=',
} as const satisfies Partial<Record<OverloadId, Order>>;

/** Where `left - right` is if the numbers compare so. */
const DIFFERENCES: Readonly<Record<Order, NumberRange>> = {
  '<': { low: Number.NEGATIVE_INFINITY, high: -Number.MIN_VALUE },
  '<=': { low: Number.NEGATIVE_INFINITY, high: 0 },
  '>': { low: Number.MIN_VALUE, high: Number.POSITIVE_INFINITY },
  '>=': { low: 0, high: Number.POSITIVE_INFINITY },
};

const ONE: NumberRange = { low: 1, high: 1 };
const ALL: NumberRange = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Compiles `oneOf` if all values are numbers or the operand can only be a number. */
export function compileOneOf(bound: BoundBatch, { operand, values, negated }: OneOf): BatchCondition | undefined {
  const areNumbers = values.every((value) => typeof value === 'number');
  if (!areNumbers && !isSubset(operand.types, NUMBER | UNDEFINED)) return undefined;
  const source = compileNumbers(bound, operand);
  const found = areNumbers ? compileAmongNumbers(bound, source, values) : compileAmong(bound, source, values);
  return negated ? negate(found) : found;
}

function compileAmongNumbers(bound: BoundBatch, source: Numbers, values: readonly number[]): BatchCondition {
  const [only = Number.NaN] = values;
  if (values.length === 1) return compileRange(bound, source, { low: only, high: only });
  if (values.length > MAX_LINEAR_COMPARISONS) return compileAmong(bound, source, values);
  const few = Float64Array.from(values);
  const cost = source.cost + COST.loop * values.length;
  const found = createComputedNumbers(bound, cost, (among, out) => findAmong(source.read(among), few, among.size, out));
  return compileRange(bound, found, ONE);
}

function compileAmong(bound: BoundBatch, source: Numbers, values: OneOf['values']): BatchCondition {
  // A vector stores undefined as NaN, which a set finds too.
  const set = new Set(values.map((value) => (value === undefined ? Number.NaN : value)));
  return createLoopCondition(bound, source.cost + COST.call, (rows, bits) =>
    testAmong(source.read(rows), set, rows.size, bits),
  );
}

/** Compiles the range of a plan. */
export function compileBetween(bound: BoundBatch, plan: Between): BatchCondition {
  return compileRange(bound, compileNumbers(bound, plan.operand), plan);
}

/** Compiles the condition for the rows where an ordering comparison of numbers is not undefined. */
export function compileDefined(bound: BoundBatch, plan: Plan): BatchCondition | undefined {
  if (plan.kind === 'between') return compileRange(bound, compileNumbers(bound, plan.operand), ALL);
  return plan.kind === 'apply' && getOrder(plan) ? compilePair(bound, plan, computeDifferences, ALL) : undefined;
}

/** Returns the order by which a plan only compares numbers, if it does. */
export function getOrder({ overloads: [only, more] }: Apply): Order | undefined {
  return only && more === undefined ? (ORDERS as Partial<Record<OverloadId, Order>>)[only.id] : undefined;
}

/** Compiles the comparison of two numbers by order. */
export function compileOrder(bound: BoundBatch, plan: Apply, order: Order): BatchCondition {
  return compilePair(bound, plan, computeDifferences, DIFFERENCES[order]);
}

/**
 * Compiles an equality that need only compare numbers, because values of other types are never equal here. Returns
 * undefined for another one.
 */
export function compileEqual(bound: BoundBatch, plan: Apply): BatchCondition | undefined {
  const { operands } = plan;
  const comparesNumbers =
    operands.some(({ types }) => types === NUMBER) ||
    operands.every(({ types }) => isSubset(types, NUMBER | UNDEFINED));
  return comparesNumbers ? compilePair(bound, plan, findSame, ONE) : undefined;
}

/** Compiles the range of a number computed from both operands. */
function compilePair(
  bound: BoundBatch,
  { operands }: Apply,
  compute: typeof computeDifferences,
  range: NumberRange,
): BatchCondition {
  const [left, right] = operands.map((operand) => compileNumbers(bound, operand)) as [Numbers, Numbers];
  const computed = createComputedNumbers(bound, left.cost + right.cost, (among, out) =>
    compute(left.read(among), right.read(among), among.size, out),
  );
  return compileRange(bound, computed, range);
}

function compileRange(bound: BoundBatch, source: Numbers, range: NumberRange): BatchCondition {
  return createLoopCondition(bound, source.cost + COST.loop, (among, bits) =>
    testRange(source.read(among), range, among.size, bits),
  );
}
