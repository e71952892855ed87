import { contains } from '../../operators/functions.ts';
import { BINARY, PREFIX } from '../../operators/table.ts';
import type { Apply, LogicalChain, Plan, Predicate } from '../../plan/plan.ts';
import { CONDITION, isSubset, STRING } from '../../types.ts';
import { isKeyOf } from '../../util/objects.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { Value } from '../../value.ts';
import { AdaptiveFilter } from './adaptive-filter.ts';
import { type BatchCondition, COST, createLoopCondition, estimateEntryCost, negate } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import type { ColumnView } from './column-view.ts';
import {
  compareAsNumbers,
  compareNumbers,
  compareToLimit,
  compileOneOf,
  compileOperands,
  NUMBER_COMPARISONS,
  OPPOSITES,
  ORDERS,
} from './number-conditions.ts';
import type { RowEvaluator } from './row-evaluator.ts';
import { createVerdicts, testEach, testEntries, testSignatures } from './test-kernels.ts';
import { computeSignature } from './text-signatures.ts';

/** Compiles a plan as an operand of `and` or `or`, or as a filter (language, section 5). */
export function compileCondition(bound: BoundBatch, judged: Predicate): BatchCondition {
  return isSubset(judged.plan.types, CONDITION)
    ? compileTruth(bound, judged.plan)
    : byValue(bound, judged.plan, (evaluator) => evaluator.judged(judged));
}

/** Compiles the condition for the rows where a plan is true. */
export function compileTruth(bound: BoundBatch, plan: Plan): BatchCondition {
  const view = bound.dictionaryOf(plan);
  const fast = view ? search(bound, view, plan) : byLoop(bound, plan);
  return fast ?? byValue(bound, plan, (evaluator) => isTrue(evaluator.value(plan)));
}

/** Compiles the condition for the rows where an ordering comparison of numbers is false, not undefined. */
export function compileFalsehood(bound: BoundBatch, plan: Plan): BatchCondition | undefined {
  if (plan.kind === 'between') return compareToLimit(bound, plan, OPPOSITES[ORDERS[plan.order]]);
  if (plan.kind !== 'apply') return undefined;
  const [only, more] = plan.overloads;
  if (only === undefined || more !== undefined || !isKeyOf(only.id, OPPOSITES)) return undefined;
  return compareNumbers(bound, OPPOSITES[only.id], compileOperands(bound, plan));
}

/** Creates a condition with the same verdict for every row. */
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
      return compileOneOf(bound, plan);
    case 'between':
      return compareToLimit(bound, plan, ORDERS[plan.order]);
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

/** Compiles `and` or `or`: each operand is tested on the rows that the previous operands left undecided. */
function chain(bound: BoundBatch, { decidedBy, operands }: LogicalChain): BatchCondition {
  const conditions = operands.map((operand) => compileCondition(bound, operand));
  // These operands must see every row, because each row may raise a type error.
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

function apply(bound: BoundBatch, plan: Apply): BatchCondition | undefined {
  const { row, overloads, operands } = plan;
  const [first] = operands as [Plan];
  if (row === PREFIX.not) {
    return isSubset(first.types, CONDITION) ? negate(bound, compileTruth(bound, first)) : undefined;
  }
  const [only, more] = overloads;
  if (only === undefined || more !== undefined) return undefined;
  if (row === BINARY['=='] || row === BINARY['!=']) {
    if (!compareAsNumbers(operands)) return undefined;
    const equal = compareNumbers(bound, 'equal', compileOperands(bound, plan));
    return row === BINARY['=='] ? equal : negate(bound, equal);
  }
  return isKeyOf(only.id, NUMBER_COMPARISONS)
    ? compareNumbers(bound, only.id, compileOperands(bound, plan))
    : undefined;
}

/** Compiles a condition on the value in each row. A constant or a dictionary entry is evaluated only once. */
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
  return createLoopCondition(bound, estimateEntryCost(view.column), (among, bits) =>
    testEntries(view.codesOf(among), verdicts, judge, among.size, bits),
  );
}

function byRow(bound: BoundBatch, judge: (position: number) => boolean): BatchCondition {
  return createLoopCondition(bound, COST.row, (among, bits) => {
    const positions = among.list();
    testEach((index) => judge(positions[index] as number), among.size, bits);
  });
}

function isTrue(value: (row: number) => Value): (row: number) => boolean {
  return (row) => value(row) === true;
}

/**
 * Compiles a substring search in a dictionary. With mostly distinct strings it is the slowest condition, so signatures
 * rule out most entries first.
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
  const possible = createLoopCondition(bound, COST.loop, (among, bits) =>
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
