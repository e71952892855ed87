import type { Expression } from '../../language/ast.ts';
import { isSubset, NUMBER, UNDEFINED } from '../../language/types.ts';
import type { Value } from '../../language/value.ts';
import { apply } from '../../operators/overloads.ts';
import type { StrictRow } from '../../operators/row.ts';
import { BINARY, FUNCTIONS, type OverloadId, PREFIX } from '../../operators/table.ts';
import { closures } from '../closures/closures.ts';
import type { BatchPlan, BoundRead } from './batch-plan.ts';
import type { ColumnView } from './column-view.ts';
import { COST, entryCost } from './cost.ts';
import { BINARY_KERNELS, UNARY_KERNELS } from './number-kernels.ts';
import { mapNumbers, numbersFor, numbersOfEntries, numbersOrEntries } from './number-loops.ts';
import type { Subset } from './subset.ts';
import { bufferVector, constantVector, type Vector } from './vector.ts';

/** A numeric expression, ready to be read block after block. */
export interface Numbers {
  /** About how many nanoseconds a row takes. */
  readonly cost: number;
  /** The numbers of some rows of the block; good until the next call. */
  read(among: Subset): Vector;
}

/**
 * Chooses how to find the number that an expression is in each row. Whatever else it is there counts as no number: most operators
 * answer nothing for that, just as for undefined.
 */
export function planNumbers(plan: BatchPlan, node: Expression): Numbers {
  const { types, fallible } = plan.facts(node);
  if (plan.reads(node).size === 0) return constant(numberOf(plan.once(node, closures.toClosure)));
  if (!fallible && (types & NUMBER) === 0) return constant(Number.NaN);
  const read = plan.soleRead(node);
  if (read && !read.view.column.numbers) return byEntry(plan, read.view, plan.ofValue(node, read, closures.toClosure));
  return byOperator(plan, node, read) ?? byRow(plan, plan.ofPosition(node, closures.toClosure));
}

/** Chooses how to find the number that a cast answers for an operand; `undefined` where only its value in each row tells. */
export function planCast(plan: BatchPlan, row: StrictRow, operand: Expression): Numbers | undefined {
  const ofNumbers = () => {
    const numbers = planNumbers(plan, operand);
    return row === FUNCTIONS.number ? numbers : mapped(plan, row, numbers);
  };
  if (isSubset(plan.facts(operand).types, NUMBER | UNDEFINED)) return ofNumbers();
  const view = operand.kind === 'property' ? plan.soleRead(operand)?.view : undefined;
  return view && byEntry(plan, view, (value) => apply(row, [value]), ofNumbers());
}

function byOperator(plan: BatchPlan, node: Expression, read: BoundRead | undefined): Numbers | undefined {
  switch (node.kind) {
    case 'property':
      return read && inPlace(read.view);
    case 'prefix':
      return unary(plan, PREFIX[node.operator], node.operand);
    case 'binary':
      return binary(plan, BINARY[node.operator], node.left, node.right);
    case 'call':
      switch (node.operator) {
        case 'round':
          return mapped(plan, FUNCTIONS.round, planNumbers(plan, node.operand));
        case 'number':
        case 'datetime':
          return planCast(plan, FUNCTIONS[node.operator], node.operand);
        default:
          return unary(plan, FUNCTIONS[node.operator], node.operand);
      }
    default:
      return undefined;
  }
}

function constant(number: number): Numbers {
  const vector = constantVector(number);
  return { cost: 0, read: () => vector };
}

function inPlace(view: ColumnView): Numbers {
  return { cost: 0, read: (among) => view.numbersOf(among) };
}

function unary(plan: BatchPlan, row: StrictRow<OverloadId>, node: Expression): Numbers | undefined {
  const id = numericOverload(row);
  const kernel = id && UNARY_KERNELS[id];
  if (kernel === undefined) return undefined;
  const operand = planNumbers(plan, node);
  return computed(plan, operand.cost + COST.loop, (among, out) => kernel(operand.read(among), among.size, out));
}

function binary(
  plan: BatchPlan,
  row: StrictRow<OverloadId>,
  leftNode: Expression,
  rightNode: Expression,
): Numbers | undefined {
  const id = numericOverload(row);
  const kernel = id && BINARY_KERNELS[id];
  if (kernel === undefined) return undefined;
  const [left, right] = [planNumbers(plan, leftNode), planNumbers(plan, rightNode)];
  const cost = left.cost + right.cost + (id === 'remainder' ? COST.remainder : COST.loop);
  return computed(plan, cost, (among, out) => kernel(left.read(among), right.read(among), among.size, out));
}

/** The only overload of a row that answers a number. */
function numericOverload({ overloads }: StrictRow<OverloadId>): OverloadId | undefined {
  const [only, more] = overloads.filter(({ result }) => (result & NUMBER) !== 0);
  return more === undefined ? only?.id : undefined;
}

/** By the operator table's own answer for a number. */
function mapped(plan: BatchPlan, row: StrictRow, operand: Numbers): Numbers {
  const overload = row.overloads.find(({ operands: [taken = 0] }) => (taken & NUMBER) !== 0);
  const answer = overload?.answer as (number: number) => number | undefined;
  return computed(plan, operand.cost + COST.call, (among, out) =>
    mapNumbers(operand.read(among), answer, among.size, out),
  );
}

/** By the entries of a dictionary; in the rows where the column has a number, by another way. */
function byEntry(
  plan: BatchPlan,
  view: ColumnView,
  answer: (value: Value) => Value,
  ofNumbers: Numbers = constant(Number.NaN),
): Numbers {
  const { numbers, dictionary } = view.column;
  const known = numbersFor(dictionary);
  const ask = (code: number) => numberOf(answer(dictionary[code]));
  const cost = entryCost(view.column);
  if (!numbers) {
    return computed(plan, cost, (among, out) => numbersOfEntries(view.codesOf(among), known, ask, among.size, out));
  }
  return computed(plan, cost + ofNumbers.cost, (among, out) =>
    numbersOrEntries(ofNumbers.read(among), view.numbersOf(among), view.codesOf(among), known, ask, among.size, out),
  );
}

function byRow(plan: BatchPlan, answer: (position: number) => Value): Numbers {
  return computed(plan, COST.row, (among, out) => {
    const positions = among.list();
    for (let index = 0; index < among.size; index++) out[index] = numberOf(answer(positions[index] as number));
  });
}

function computed(plan: BatchPlan, cost: number, compute: (among: Subset, out: Float64Array) => void): Numbers {
  const vector = bufferVector(plan.limit);
  return {
    cost,
    read(among) {
      compute(among, vector.values);
      return vector;
    },
  };
}

function numberOf(value: Value): number {
  return typeof value === 'number' ? value : Number.NaN;
}
