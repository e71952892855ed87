import type { Overload } from '../../operators/row.ts';
import type { OverloadId } from '../../operators/table.ts';
import type { Apply, Plan } from '../../plan/plan.ts';
import { NUMBER } from '../../types.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { Value } from '../../value.ts';
import { COST, estimateEntryCost } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import type { ColumnView } from './column-view.ts';
import { BINARY_KERNELS, UNARY_KERNELS } from './number-kernels.ts';
import { createNumbers, mapEntries, mapNumbers, mapNumbersOrEntries } from './number-loops.ts';
import type { Subset } from './subset.ts';
import { createConstantVector, createVector, type NumberVector } from './vector.ts';

/** A numeric expression, ready to be read block after block. */
export interface Numbers {
  /** About how many nanoseconds a row takes. */
  readonly cost: number;
  /** The numbers of some rows of the block; good until the next call. */
  read(among: Subset): NumberVector;
}

/** The kernels that take more than a simple loop. */
const KERNEL_COST: Readonly<Partial<Record<OverloadId, number>>> = { remainder: COST.remainder };

/**
 * Chooses how to find the number that a plan is in each row. Whatever else it is there counts as no number: most
 * operators answer nothing for that, just as for undefined.
 */
export function compileNumbers(bound: BoundBatch, plan: Plan): Numbers {
  if (bound.isConstant(plan)) return createConstantNumbers(numberOf(bound.rows.value(plan)(0)));
  const view = bound.dictionaryOf(plan);
  return view ? byEntry(bound, view, plan) : (byLoop(bound, plan) ?? byRow(bound, plan));
}

function byLoop(bound: BoundBatch, plan: Plan): Numbers | undefined {
  switch (plan.kind) {
    case 'read': {
      const view = bound.view(plan);
      return view && { cost: 0, read: (among) => view.numbersOf(among) };
    }
    case 'apply':
      return plan.operands.length === 1 ? unary(bound, plan) : binary(bound, plan);
    case 'constant':
    case 'time':
    case 'oneOf':
    case 'between':
    case 'chain':
      return undefined;
    default:
      return unreachable(plan);
  }
}

function binary(bound: BoundBatch, { overloads, operands }: Apply): Numbers | undefined {
  // In other rows `+` may join strings; those rows count as NaN.
  const [only, more] = overloads.filter(({ result }) => (result & NUMBER) !== 0);
  const kernel = only && more === undefined ? BINARY_KERNELS[only.id] : undefined;
  if (only === undefined || kernel === undefined) return undefined;
  const [left, right] = operands.map((operand) => compileNumbers(bound, operand)) as [Numbers, Numbers];
  const cost = left.cost + right.cost + (KERNEL_COST[only.id] ?? COST.loop);
  return computed(bound, cost, (among, out) => kernel(left.read(among), right.read(among), among.size, out));
}

function unary(bound: BoundBatch, plan: Apply & Plan): Numbers | undefined {
  if ((plan.types & NUMBER) === 0) return undefined;
  const [operand] = plan.operands as [Plan];
  const overload = plan.overloads.find(({ operands: [taken = 0], result }) => (taken & result & NUMBER) !== 0);
  if (overload && plan.overloads.length === 1) return ofNumber(bound, overload, operand);
  const view = operand.kind === 'read' ? bound.view(operand) : undefined;
  return view && byEntry(bound, view, plan, overload && ofNumber(bound, overload, operand));
}

/** The results of an overload from number to number: by its kernel, or by calling it if it has none. */
function ofNumber(bound: BoundBatch, { id, answer }: Overload<OverloadId>, operand: Plan): Numbers {
  const numbers = compileNumbers(bound, operand);
  if (id === 'number.number') return numbers;
  const kernel = UNARY_KERNELS[id];
  if (kernel !== undefined) {
    return computed(bound, numbers.cost + COST.loop, (among, out) => kernel(numbers.read(among), among.size, out));
  }
  const call = answer as (number: number) => number | undefined;
  return computed(bound, numbers.cost + COST.call, (among, out) =>
    mapNumbers(numbers.read(among), call, among.size, out),
  );
}

/** The same number, or NaN, in every row. */
export function createConstantNumbers(number: number): Numbers {
  const vector = createConstantVector(number);
  return { cost: 0, read: () => vector };
}

/** By the entries of a dictionary; in the rows where the column has a number, by another way. */
function byEntry(
  bound: BoundBatch,
  view: ColumnView,
  plan: Plan,
  ofNumbers = createConstantNumbers(Number.NaN),
): Numbers {
  const { numbers, dictionary } = view.column;
  const known = createNumbers(dictionary);
  const value = bound.entries.value(plan);
  const evaluate = (entry: number) => numberOf(value(entry));
  const cost = estimateEntryCost(view.column);
  if (!numbers) {
    return computed(bound, cost, (among, out) => mapEntries(view.codesOf(among), known, evaluate, among.size, out));
  }
  return computed(bound, cost + ofNumbers.cost, (among, out) =>
    mapNumbersOrEntries(
      ofNumbers.read(among),
      view.numbersOf(among),
      view.codesOf(among),
      known,
      evaluate,
      among.size,
      out,
    ),
  );
}

function byRow(bound: BoundBatch, plan: Plan): Numbers {
  const value = bound.rows.value(plan);
  return computed(bound, COST.row, (among, out) => {
    const positions = among.list();
    for (let index = 0; index < among.size; index++) out[index] = numberOf(value(positions[index] as number));
  });
}

function computed(bound: BoundBatch, cost: number, compute: (among: Subset, out: Float64Array) => void): Numbers {
  const vector = createVector(bound.limit);
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
