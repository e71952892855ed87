import {
  type Binary,
  type ComparisonName,
  type Expression,
  isDatetimeCall,
  type Logical,
  type Membership,
} from '../../language/ast.ts';
import { CONDITION, isSubset, NUMBER, STRING, UNDEFINED } from '../../language/types.ts';
import type { Value } from '../../language/value.ts';
import { FUNCTIONS, LOGICAL } from '../../operators/table.ts';
import { isElement } from '../../operators/text.ts';
import { unreachable } from '../../util/unreachable.ts';
import { closures } from '../closures/closures.ts';
import type { BatchPlan, BoundRead } from './batch-plan.ts';
import type { ColumnView } from './column-view.ts';
import type { Condition } from './condition.ts';
import { COST, entryCost } from './cost.ts';
import { Narrowing } from './narrowing.ts';
import { type Numbers, planCast, planNumbers } from './plan-numbers.ts';
import { bitsFor, type Subset } from './subset.ts';
import {
  testAmong,
  testAtMost,
  testEach,
  testEntries,
  testLess,
  testSame,
  testSignatures,
  verdictsFor,
} from './test-kernels.ts';
import { signatureOf } from './text-signatures.ts';

/** Chooses how to find the rows where an expression is true (language, section 5). */
export function planCondition(plan: BatchPlan, node: Expression): Condition {
  if (plan.reads(node).size === 0) return always(plan.once(node, closures.toCondition));
  const read = plan.soleRead(node);
  if (read && !read.view.column.numbers) return byEntry(plan, read, node);
  return byOperator(plan, node) ?? byRow(plan, plan.ofPosition(node, closures.toCondition));
}

function byOperator(plan: BatchPlan, node: Expression): Condition | undefined {
  switch (node.kind) {
    case 'logical':
      return logical(plan, node);
    case 'prefix':
      return node.operator === 'not' && isSubset(plan.facts(node.operand).types, CONDITION)
        ? negated(plan, planCondition(plan, node.operand))
        : undefined;
    case 'membership':
      return membership(plan, node);
    case 'binary':
      return meetAsNumbers(plan, node)
        ? compared(plan, node.operator, planNumbers(plan, node.left), planNumbers(plan, node.right))
        : undefined;
    case 'timeComparison': {
      const [left, right] = [planTime(plan, node.left), planTime(plan, node.right)];
      return left && right && compared(plan, node.operator, left, right);
    }
    default:
      return undefined;
  }
}

/** The same for every row. */
export function always(verdict: boolean): Condition {
  return {
    cost: 0,
    test(among, found) {
      found.copy(among);
      if (!verdict) found.remove(among);
    },
  };
}

function negated(plan: BatchPlan, { cost, test }: Condition): Condition {
  const hits = plan.subset();
  return {
    cost,
    test(among, found) {
      test(among, hits);
      found.copy(among);
      found.remove(hits);
    },
  };
}

/** `and` or `or`: one operand after the other, each on the rows that those before have not decided. */
function logical(plan: BatchPlan, { operator, operands }: Logical): Condition {
  const { decidedBy } = LOGICAL[operator];
  const conditions = operands.map((operand) => planCondition(plan, operand));
  // Every row must be judged by these, whatever the others say: there may be a type error in it.
  const judging = conditions.filter((_, index) => plan.canFail(operands[index] as Expression));
  const narrowing = conditions.map((condition) => new Narrowing(condition));
  const [undecided, looked, hits] = [plan.subset(), plan.subset(), plan.subset()];
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

function byPrice(left: Narrowing, right: Narrowing): number {
  return left.price - right.price;
}

/** Whether a comparison asks for nothing but the numbers of both sides: any other values there would be unequal or unordered. */
function meetAsNumbers(plan: BatchPlan, node: Binary): node is Binary & { readonly operator: ComparisonName } {
  const types = [plan.facts(node.left).types, plan.facts(node.right).types];
  switch (node.operator) {
    case '<':
    case '<=':
    case '>':
    case '>=':
      return !types.every((set) => (set & STRING) !== 0);
    case '==':
    case '!=':
      return types.some((set) => set === NUMBER) || types.every((set) => isSubset(set, NUMBER | UNDEFINED));
    default:
      return false;
  }
}

/** Where a comparison by size is false, not undefined: where the opposite one is true. For numbers only. */
export function planOpposite(plan: BatchPlan, node: Expression): Condition | undefined {
  if (node.kind !== 'binary' || !meetAsNumbers(plan, node) || !(node.operator in OPPOSITE)) return undefined;
  const operator = OPPOSITE[node.operator as keyof typeof OPPOSITE];
  return compared(plan, operator, planNumbers(plan, node.left), planNumbers(plan, node.right));
}

const OPPOSITE = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

/** A side of a comparison of times, read through `datetime` (language, section 4, rule 10). */
function planTime(plan: BatchPlan, side: Expression): Numbers | undefined {
  return isDatetimeCall(side) ? planNumbers(plan, side) : planCast(plan, FUNCTIONS.datetime, side);
}

function compared(plan: BatchPlan, operator: ComparisonName, left: Numbers, right: Numbers): Condition {
  const cost = left.cost + right.cost + COST.loop;
  switch (operator) {
    case '<':
      return tested(plan, cost, (among, bits) => testLess(left.read(among), right.read(among), among.size, bits));
    case '>':
      return tested(plan, cost, (among, bits) => testLess(right.read(among), left.read(among), among.size, bits));
    case '<=':
      return tested(plan, cost, (among, bits) => testAtMost(left.read(among), right.read(among), among.size, bits));
    case '>=':
      return tested(plan, cost, (among, bits) => testAtMost(right.read(among), left.read(among), among.size, bits));
    case '==':
      return tested(plan, cost, (among, bits) => testSame(left.read(among), right.read(among), among.size, bits));
    case '!=':
      return negated(plan, compared(plan, '==', left, right));
    default:
      return unreachable(operator);
  }
}

/** `in` with a written list, where only numbers of it can be met, or only numbers can meet it. */
function membership(plan: BatchPlan, { operand, items }: Membership): Condition | undefined {
  const values = items.map(({ value }) => value);
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length && !isSubset(plan.facts(operand).types, NUMBER | UNDEFINED)) return undefined;
  const [set, source] = [new Set(numbers), planNumbers(plan, operand)];
  return tested(plan, source.cost + COST.call, (among, bits) => testAmong(source.read(among), set, among.size, bits));
}

function byEntry(plan: BatchPlan, read: BoundRead, node: Expression): Condition {
  const part = searchedFor(node);
  return part === undefined
    ? judgedByEntry(plan, read.view, plan.ofValue(node, read, closures.toCondition))
    : search(plan, read.view, part);
}

function judgedByEntry(plan: BatchPlan, view: ColumnView, judge: (value: Value) => boolean): Condition {
  const { dictionary } = view.column;
  const verdicts = verdictsFor(dictionary);
  const judgeEntry = (entry: number) => judge(dictionary[entry]);
  return tested(plan, entryCost(view.column), (among, bits) =>
    testEntries(view.codesOf(among), verdicts, judgeEntry, among.size, bits),
  );
}

/** The literal of a search for a text in a property. */
function searchedFor(node: Expression): string | undefined {
  if (node.kind !== 'binary' || node.operator !== 'in' || node.right.kind !== 'property') return undefined;
  return node.left.kind === 'literal' && typeof node.left.value === 'string' ? node.left.value : undefined;
}

/** A search for a text. Where hardly two rows have the same one, nothing takes longer: first, most are ruled out. */
function search(plan: BatchPlan, view: ColumnView, part: string): Condition {
  const searched = judgedByEntry(plan, view, (value) =>
    typeof value === 'string' ? value.includes(part) : Array.isArray(value) && isElement(part, value),
  );
  const { signatures } = view.column;
  if (!signatures) return searched;
  const signature = signatureOf(part);
  const possible = tested(plan, COST.loop, (among, bits) =>
    testSignatures(view.codesOf(among), signatures, signature, among.size, bits),
  );
  const candidates = plan.subset();
  return {
    cost: possible.cost + searched.cost / 4,
    test(among, found) {
      possible.test(among, candidates);
      searched.test(candidates, found);
    },
  };
}

function byRow(plan: BatchPlan, judge: (position: number) => boolean): Condition {
  return tested(plan, COST.row, (among, bits) => {
    const positions = among.list();
    testEach((index) => judge(positions[index] as number), among.size, bits);
  });
}

/** What a loop tests: it sets a bit for each of the rows, in their order. */
function tested(plan: BatchPlan, cost: number, loop: (among: Subset, bits: Int32Array) => void): Condition {
  const bits = bitsFor(plan.limit);
  return {
    cost,
    test(among, found) {
      bits.fill(0);
      loop(among, bits);
      found.pick(among, bits);
    },
  };
}
