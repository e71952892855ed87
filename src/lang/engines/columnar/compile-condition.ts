import { contains } from '../../operators/functions.ts';
import { BINARY, type OverloadId, PREFIX } from '../../operators/table.ts';
import type { Apply, Between, LogicalChain, OneOf, Plan, Predicate } from '../../plan/plan.ts';
import type { Order } from '../../plan/range.ts';
import { CONDITION, isSubset, NUMBER, STRING, UNDEFINED } from '../../types.ts';
import { isKeyOf } from '../../util/objects.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { Value } from '../../value.ts';
import { AdaptiveFilter } from './adaptive-filter.ts';
import type { BatchCondition } from './batch-condition.ts';
import { COST, estimateEntryCost } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import type { ColumnView } from './column-view.ts';
import { compileNumbers, createConstantNumbers, type Numbers } from './compile-numbers.ts';
import type { RowEvaluator } from './row-evaluator.ts';
import { createBits, type Subset } from './subset.ts';
import {
  createVerdicts,
  testAmong,
  testAmongFew,
  testAtMost,
  testEach,
  testEntries,
  testLess,
  testSame,
  testSignatures,
} from './test-kernels.ts';
import { computeSignature } from './text-signatures.ts';
import type { NumberVector } from './vector.ts';

type ComparisonKernel = (left: NumberVector, right: NumberVector, count: number, bits: Int32Array) => void;

/** As many comparisons are faster than a look into a set. */
const MAX_LINEAR_COMPARISONS = 8;

/** The comparisons of two numbers, by overload. */
const COMPARISONS = {
  equal: testSame,
  'less.number': testLess,
  'atMost.number': testAtMost,
  'greater.number': (left, right, count, bits) => testLess(right, left, count, bits),
  'atLeast.number': (left, right, count, bits) => testAtMost(right, left, count, bits),
} as const satisfies Partial<Record<OverloadId, ComparisonKernel>>;

/** The overload for numbers of each order. */
const ORDERS = {
  '<': 'less.number',
  '<=': 'atMost.number',
  '>': 'greater.number',
  '>=': 'atLeast.number',
} as const satisfies Record<Order, keyof typeof COMPARISONS>;

/** Where the comparison by size of two numbers is false: where another one is true. */
const OPPOSITES = {
  'less.number': 'atLeast.number',
  'atMost.number': 'greater.number',
  'greater.number': 'atMost.number',
  'atLeast.number': 'less.number',
} as const satisfies Partial<Record<OverloadId, keyof typeof COMPARISONS>>;

/**
 * Chooses how to find the rows where a plan holds as an operand of `and` or `or`, or as a filter (language, section 5).
 */
export function compileCondition(bound: BoundBatch, judged: Predicate): BatchCondition {
  return isSubset(judged.plan.types, CONDITION)
    ? compileTruth(bound, judged.plan)
    : byValue(bound, judged.plan, (evaluator) => evaluator.judged(judged));
}

/** Chooses how to find the rows where a plan is true. */
export function compileTruth(bound: BoundBatch, plan: Plan): BatchCondition {
  const view = bound.dictionaryOf(plan);
  const fast = view ? search(bound, view, plan) : byLoop(bound, plan);
  return fast ?? byValue(bound, plan, (evaluator) => isTrue(evaluator.value(plan)));
}

/** Chooses how to find the rows where a comparison by size of numbers is false, not undefined. */
export function compileFalsehood(bound: BoundBatch, plan: Plan): BatchCondition | undefined {
  if (plan.kind === 'between') return ordered(bound, plan, OPPOSITES[ORDERS[plan.order]]);
  if (plan.kind !== 'apply') return undefined;
  const [only, more] = plan.overloads;
  if (only === undefined || more !== undefined || !isKeyOf(only.id, OPPOSITES)) return undefined;
  return compared(bound, OPPOSITES[only.id], sides(bound, plan));
}

/** The same for every row. */
export function createConstantCondition(verdict: boolean): BatchCondition {
  return {
    cost: 0,
    test(among, found) {
      found.copy(among);
      if (!verdict) found.remove(among);
    },
  };
}

function byLoop(bound: BoundBatch, plan: Plan): BatchCondition | undefined {
  if (bound.isConstant(plan)) return undefined;
  switch (plan.kind) {
    case 'chain':
      return chain(bound, plan);
    case 'oneOf':
      return oneOf(bound, plan);
    case 'between':
      return ordered(bound, plan, ORDERS[plan.order]);
    case 'apply':
      return apply(bound, plan);
    case 'constant':
    case 'time':
    case 'read':
      return undefined;
    default:
      return unreachable(plan);
  }
}

/** `and` or `or`: one operand after the other, each on the rows that those before have not decided. */
function chain(bound: BoundBatch, { decidedBy, operands }: LogicalChain): BatchCondition {
  const conditions = operands.map((operand) => compileCondition(bound, operand));
  // Every row must be judged by these, whatever the others say: there may be a type error in it.
  const judging = conditions.filter((_, index) => operands[index]?.canFail);
  const narrowing = conditions.map((condition) => new AdaptiveFilter(condition));
  const [undecided, looked, hits] = [bound.subset(), bound.subset(), bound.subset()];
  return {
    get cost() {
      let [cost, reached] = [0, 1];
      for (const { condition, rate } of narrowing) {
        cost += condition.cost * reached;
        reached *= rate;
      }
      return cost;
    },
    test(among, found) {
      for (const condition of judging) condition.test(among, hits);
      undecided.copy(among);
      looked.copy(among);
      for (const operand of narrowing.sort(byPrice)) {
        if (operand.gainsBy(looked, undecided)) looked.copy(undecided);
        operand.condition.test(looked, hits);
        operand.learn(looked, decidedBy ? looked.size - hits.size : hits.size);
        if (decidedBy) undecided.remove(hits);
        else undecided.intersect(hits);
      }
      if (decidedBy) {
        found.copy(among);
        found.remove(undecided);
      } else found.copy(undecided);
    },
  };
}

function byPrice(left: AdaptiveFilter, right: AdaptiveFilter): number {
  return left.price - right.price;
}

/** Whether the operand equals one of the values, where all of these are numbers or all that it can be. */
function oneOf(bound: BoundBatch, { operand, values, negated }: OneOf): BatchCondition | undefined {
  const areNumbers = values.every((value) => typeof value === 'number');
  if (!areNumbers && !isSubset(operand.types, NUMBER | UNDEFINED)) return undefined;
  const source = compileNumbers(bound, operand);
  const found = areNumbers ? amongNumbers(bound, source, values) : among(bound, source, values);
  return negated ? not(bound, found) : found;
}

function amongNumbers(bound: BoundBatch, source: Numbers, values: readonly number[]): BatchCondition {
  const [only = Number.NaN] = values;
  if (values.length === 1) return compared(bound, 'equal', [source, createConstantNumbers(only)]);
  if (values.length > MAX_LINEAR_COMPARISONS) return among(bound, source, values);
  const few = Float64Array.from(values);
  const cost = source.cost + COST.loop * values.length;
  return tested(bound, cost, (among, bits) => testAmongFew(source.read(among), few, among.size, bits));
}

function among(bound: BoundBatch, source: Numbers, values: OneOf['values']): BatchCondition {
  // In a vector undefined is NaN, which a set finds too.
  const set = new Set(values.map((value) => (value === undefined ? Number.NaN : value)));
  return tested(bound, source.cost + COST.call, (rows, bits) => testAmong(source.read(rows), set, rows.size, bits));
}

/** A range that the plan writes as an order to a limit: one comparison is enough. */
function ordered(bound: BoundBatch, { operand, limit }: Between, id: keyof typeof COMPARISONS): BatchCondition {
  return compared(bound, id, [compileNumbers(bound, operand), createConstantNumbers(limit)]);
}

function apply(bound: BoundBatch, plan: Apply): BatchCondition | undefined {
  const { row, overloads, operands } = plan;
  const [first] = operands as [Plan];
  if (row === PREFIX.not) {
    return isSubset(first.types, CONDITION) ? not(bound, compileTruth(bound, first)) : undefined;
  }
  const [only, more] = overloads;
  if (only === undefined || more !== undefined) return undefined;
  if (row === BINARY['=='] || row === BINARY['!=']) {
    if (!meetAsNumbers(operands)) return undefined;
    const equal = compared(bound, 'equal', sides(bound, plan));
    return row === BINARY['=='] ? equal : not(bound, equal);
  }
  return isKeyOf(only.id, COMPARISONS) ? compared(bound, only.id, sides(bound, plan)) : undefined;
}

/** Whether an equality compares nothing but the numbers of both sides: any other values there would be unequal. */
function meetAsNumbers(operands: readonly Plan[]): boolean {
  return (
    operands.some(({ types }) => types === NUMBER) || operands.every(({ types }) => isSubset(types, NUMBER | UNDEFINED))
  );
}

function sides(bound: BoundBatch, { operands }: Apply): readonly [Numbers, Numbers] {
  return operands.map((operand) => compileNumbers(bound, operand)) as [Numbers, Numbers];
}

function compared(
  bound: BoundBatch,
  id: keyof typeof COMPARISONS,
  [left, right]: readonly [Numbers, Numbers],
): BatchCondition {
  const kernel = COMPARISONS[id];
  return tested(bound, left.cost + right.cost + COST.loop, (among, bits) =>
    kernel(left.read(among), right.read(among), among.size, bits),
  );
}

function not(bound: BoundBatch, { cost, test }: BatchCondition): BatchCondition {
  const hits = bound.subset();
  return {
    cost,
    test(among, found) {
      test(among, hits);
      found.copy(among);
      found.remove(hits);
    },
  };
}

/** By the value in each row, which is found out only once where it is constant, or for each entry of a dictionary. */
function byValue(
  bound: BoundBatch,
  plan: Plan,
  toJudge: (evaluator: RowEvaluator) => (row: number) => boolean,
): BatchCondition {
  if (bound.isConstant(plan)) return createConstantCondition(toJudge(bound.rows)(0));
  const view = bound.dictionaryOf(plan);
  return view ? byEntry(bound, view, toJudge(bound.entries)) : byRow(bound, toJudge(bound.rows));
}

function byEntry(bound: BoundBatch, view: ColumnView, judge: (entry: number) => boolean): BatchCondition {
  const verdicts = createVerdicts(view.column.dictionary);
  return tested(bound, estimateEntryCost(view.column), (among, bits) =>
    testEntries(view.codesOf(among), verdicts, judge, among.size, bits),
  );
}

function byRow(bound: BoundBatch, judge: (position: number) => boolean): BatchCondition {
  return tested(bound, COST.row, (among, bits) => {
    const positions = among.list();
    testEach((index) => judge(positions[index] as number), among.size, bits);
  });
}

function isTrue(value: (row: number) => Value): (row: number) => boolean {
  return (row) => value(row) === true;
}

/**
 * A search for a text in a dictionary. Where hardly two rows have the same one, nothing takes longer: first, most are
 * ruled out.
 */
function search(bound: BoundBatch, view: ColumnView, plan: Plan): BatchCondition | undefined {
  if (plan.kind !== 'apply' || plan.row !== BINARY.in) return undefined;
  const [part, value] = plan.operands as [Plan, Plan];
  if (part.kind !== 'constant' || part.types !== STRING || value.kind !== 'read') return undefined;
  const text = part.value as string;
  const { dictionary, signatures } = view.column;
  const searched = byEntry(bound, view, (entry) => contains(dictionary[entry], text));
  if (!signatures) return searched;
  const signature = computeSignature(text);
  const possible = tested(bound, COST.loop, (among, bits) =>
    testSignatures(view.codesOf(among), signatures, signature, among.size, bits),
  );
  const candidates = bound.subset();
  return {
    cost: possible.cost + searched.cost / 4,
    test(among, found) {
      possible.test(among, candidates);
      searched.test(candidates, found);
    },
  };
}

/** A condition tested by a loop, which sets one bit for each row that passes, in order. */
function tested(bound: BoundBatch, cost: number, loop: (among: Subset, bits: Int32Array) => void): BatchCondition {
  const bits = createBits(bound.limit);
  return {
    cost,
    test(among, found) {
      bits.fill(0);
      loop(among, bits);
      found.pick(among, bits);
    },
  };
}
