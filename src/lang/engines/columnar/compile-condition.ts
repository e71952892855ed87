import { unreachable } from '../../../base/unreachable.ts';
import { contains } from '../../operators/functions.ts';
import { BINARY, PREFIX } from '../../operators/table.ts';
import type { Apply, LogicalChain, Plan, Predicate } from '../../plan/plan.ts';
import { CONDITION, isSubset, STRING } from '../../types.ts';
import { AdaptiveFilter } from './adaptive-filter.ts';
import { type BatchCondition, COST, createLoopCondition, estimateEntryCost, negate } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import type { ColumnView } from './column-view.ts';
import { compileBetween, compileEqual, compileOneOf, compileOrder, getOrder } from './number-conditions.ts';
import type { RowCompiler } from './row-compiler.ts';
import { computeTailSignature } from './string-signatures.ts';
import { createVerdicts, testEach, testEntries, testHeads, testSignatures } from './test-kernels.ts';

/** Compiles a plan as an operand of `and` or `or`, or as a filter (language, section 5). */
export function compileCondition(bound: BoundBatch, predicate: Predicate): BatchCondition {
  return isSubset(predicate.plan.types, CONDITION)
    ? compileTruth(bound, predicate.plan)
    : compileByValue(bound, predicate.plan, (compiler) => compiler.compileCondition(predicate));
}

/** Compiles the condition for the rows where a plan is true. */
export function compileTruth(bound: BoundBatch, plan: Plan): BatchCondition {
  const view = bound.getDictionaryView(plan);
  const fast = view ? compileSearch(bound, view, plan) : compileLoop(bound, plan);
  return fast ?? compileByValue(bound, plan, (compiler) => compiler.compileTruth(plan));
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

function compileLoop(bound: BoundBatch, plan: Plan): BatchCondition | undefined {
  if (bound.isConstant(plan)) return undefined;
  switch (plan.kind) {
    case 'chain':
      return compileChain(bound, plan);
    case 'oneOf':
      return compileOneOf(bound, plan);
    case 'between':
      return compileBetween(bound, plan);
    case 'apply':
      return compileApply(bound, plan);
    case 'constant':
    case 'time':
    case 'read':
      return undefined;
    default:
      return unreachable(plan);
  }
}

function compileChain(bound: BoundBatch, { decidedBy, operands }: LogicalChain): BatchCondition {
  const conditions = operands.map((operand) => compileCondition(bound, operand));
  // These operands must see every row, because each row may raise a type error.
  const failing = conditions.filter((_, index) => operands[index]?.canFail);
  return createChain(bound, decidedBy, conditions, failing);
}

/**
 * Creates `and` or `or`: each operand is tested on the rows that the previous operands left undecided.
 *
 * @param failing The operands that are tested on all rows first.
 */
function createChain(
  bound: BoundBatch,
  decidedBy: boolean,
  conditions: readonly BatchCondition[],
  failing: readonly BatchCondition[] = [],
): BatchCondition {
  const narrowing = conditions.map((condition) => new AdaptiveFilter(condition));
  const [tested, hits] = [bound.createSubset(), bound.createSubset()];
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
      for (const condition of failing) condition.test(among, hits);
      // Until the end, these are the undecided rows.
      found.copy(among);
      tested.copy(among);
      for (const operand of narrowing.sort(comparePrices)) {
        if (operand.shouldNarrow(tested, found)) tested.copy(found);
        operand.condition.test(tested, hits);
        operand.learn(tested, decidedBy ? tested.size - hits.size : hits.size);
        if (decidedBy) found.remove(hits);
        else found.intersect(hits);
      }
      if (decidedBy) found.invert(among);
    },
  };
}

function comparePrices(left: AdaptiveFilter, right: AdaptiveFilter): number {
  return left.price - right.price;
}

function compileApply(bound: BoundBatch, plan: Apply): BatchCondition | undefined {
  const { row, operands } = plan;
  const [first] = operands as [Plan];
  if (row === PREFIX.not) {
    return isSubset(first.types, CONDITION) ? negate(compileTruth(bound, first)) : undefined;
  }
  if (row === BINARY['=='] || row === BINARY['!=']) {
    const equal = compileEqual(bound, plan);
    return equal && row === BINARY['!='] ? negate(equal) : equal;
  }
  const order = getOrder(plan);
  return order && compileOrder(bound, plan, order);
}

/** Compiles a condition on the value in each row. A constant or a dictionary entry is evaluated only once. */
function compileByValue(
  bound: BoundBatch,
  plan: Plan,
  createTest: (compiler: RowCompiler) => (row: number) => boolean,
): BatchCondition {
  if (bound.isConstant(plan)) return createConstantCondition(createTest(bound.rows)(0));
  const view = bound.getDictionaryView(plan);
  return view ? compileByEntry(bound, view, createTest(bound.entries)) : compileByRow(bound, createTest(bound.rows));
}

function compileByEntry(bound: BoundBatch, view: ColumnView, test: (entry: number) => boolean): BatchCondition {
  const verdicts = createVerdicts(view.column.dictionary);
  return createLoopCondition(bound, estimateEntryCost(view.column), (among, bits) =>
    testEntries(view.getCodes(among), verdicts, test, among.size, bits),
  );
}

function compileByRow(bound: BoundBatch, test: (position: number) => boolean): BatchCondition {
  return createLoopCondition(bound, COST.row, (among, bits) => {
    const positions = among.list();
    testEach((index) => test(positions[index] as number), among.size, bits);
  });
}

/**
 * Compiles a substring search in a dictionary. With mostly distinct strings it is the slowest condition, so their heads
 * and the signatures of their tails decide about most of them first.
 */
function compileSearch(bound: BoundBatch, view: ColumnView, plan: Plan): BatchCondition | undefined {
  if (plan.kind !== 'apply' || plan.row !== BINARY.in) return undefined;
  const [part, value] = plan.operands as [Plan, Plan];
  if (part.kind !== 'constant' || part.types !== STRING || value.kind !== 'read') return undefined;
  const searchString = part.value as string;
  const { dictionary, signatures, heads } = view.column;
  const search = compileByEntry(bound, view, (entry) => contains(dictionary[entry], searchString));
  if (!signatures || !heads) return search;
  const verdicts = Uint8Array.from(heads.dictionary, (head) => Number(contains(head, searchString)));
  const byHead = createLoopCondition(bound, COST.loop, (among, bits) =>
    testHeads(view.getCodes(among), heads.codes, verdicts, among.size, bits),
  );
  const signature = computeTailSignature(searchString, heads);
  const bySignature = createLoopCondition(bound, COST.loop, (among, bits) =>
    testSignatures(view.getCodes(among), signatures, signature, among.size, bits),
  );
  return createChain(bound, true, [byHead, createChain(bound, false, [bySignature, search])]);
}
