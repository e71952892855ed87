import { unreachable } from '../../../base/unreachable.ts';
import type { Overload } from '../../operators/row.ts';
import type { OverloadId } from '../../operators/table.ts';
import type { Apply, Plan } from '../../plan/plan.ts';
import { NUMBER } from '../../types.ts';
import type { Value } from '../../value.ts';
import { COST, estimateEntryCost } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import type { ColumnView } from './column-view.ts';
import { BINARY_KERNELS, UNARY_KERNELS } from './number-kernels.ts';
import { createNumbers, mapEntries, mapNumbers, replaceNumbers } from './number-loops.ts';
import type { Subset } from './subset.ts';
import { createConstantVector, createVector, type NumberVector } from './vector.ts';

/** A compiled numeric expression, read one block after another. */
export interface Numbers {
  /** The approximate cost in nanoseconds per row. */
  readonly cost: number;
  /** Returns the numbers of some rows of the block. The next call overwrites them. */
  read(among: Subset): NumberVector;
}

/** The kernels that cost more than a simple loop. */
const KERNEL_COST: Readonly<Partial<Record<OverloadId, number>>> = { remainder: COST.remainder };

/**
 * Compiles a plan to its number in each row. Any other value becomes NaN: most operators return undefined for it, as
 * they do for undefined.
 */
export function compileNumbers(bound: BoundBatch, plan: Plan): Numbers {
  if (bound.isConstant(plan)) return createConstantNumbers(toNumber(bound.rows.compileValue(plan)(0)));
  const view = bound.getDictionaryView(plan);
  return view ? compileByEntry(bound, view, plan) : (compileLoop(bound, plan) ?? compileByRow(bound, plan));
}

function compileLoop(bound: BoundBatch, plan: Plan): Numbers | undefined {
  switch (plan.kind) {
    case 'read': {
      const view = bound.getView(plan);
      return view && { cost: 0, read: (among) => view.getNumbers(among) };
    }
    case 'apply':
      return plan.operands.length === 1 ? compileUnary(bound, plan) : compileBinary(bound, plan);
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

function compileBinary(bound: BoundBatch, { overloads, operands }: Apply): Numbers | undefined {
  // In other rows `+` may join strings; those rows count as NaN.
  const [only, more] = overloads.filter(({ result }) => (result & NUMBER) !== 0);
  const kernel = only && more === undefined ? BINARY_KERNELS[only.id] : undefined;
  if (only === undefined || kernel === undefined) return undefined;
  const [left, right] = operands.map((operand) => compileNumbers(bound, operand)) as [Numbers, Numbers];
  const cost = left.cost + right.cost + (KERNEL_COST[only.id] ?? COST.loop);
  return createComputedNumbers(bound, cost, (among, out) =>
    kernel(left.read(among), right.read(among), among.size, out),
  );
}

function compileUnary(bound: BoundBatch, plan: Apply & Plan): Numbers | undefined {
  if ((plan.types & NUMBER) === 0) return undefined;
  const [operand] = plan.operands as [Plan];
  const overload = plan.overloads.find(({ operands: [taken = 0], result }) => (taken & result & NUMBER) !== 0);
  if (overload && plan.overloads.length === 1) return compileOverload(bound, overload, operand);
  const view = operand.kind === 'read' ? bound.getView(operand) : undefined;
  return view && compileByEntry(bound, view, plan, overload && compileOverload(bound, overload, operand));
}

/** Compiles an overload from number to number: its kernel, or calls of its function if it has none. */
function compileOverload(bound: BoundBatch, { id, evaluate }: Overload<OverloadId>, operand: Plan): Numbers {
  const numbers = compileNumbers(bound, operand);
  if (id === 'number.number') return numbers;
  const kernel = UNARY_KERNELS[id];
  if (kernel !== undefined) {
    return createComputedNumbers(bound, numbers.cost + COST.loop, (among, out) =>
      kernel(numbers.read(among), among.size, out),
    );
  }
  const call = evaluate as (number: number) => number | undefined;
  return createComputedNumbers(bound, numbers.cost + COST.call, (among, out) =>
    mapNumbers(numbers.read(among), call, among.size, out),
  );
}

/** Creates the same number, or NaN, for every row. */
function createConstantNumbers(number: number): Numbers {
  const vector = createConstantVector(number);
  return { cost: 0, read: () => vector };
}

/** Evaluates dictionary entries once each. Rows where the column has a number use `fromNumbers` instead. */
function compileByEntry(
  bound: BoundBatch,
  view: ColumnView,
  plan: Plan,
  fromNumbers = createConstantNumbers(Number.NaN),
): Numbers {
  const { numbers, dictionary } = view.column;
  const numberByEntry = createNumbers(dictionary);
  const value = bound.entries.compileValue(plan);
  const evaluate = (entry: number) => toNumber(value(entry));
  const cost = estimateEntryCost(view.column);
  return createComputedNumbers(bound, numbers ? cost + fromNumbers.cost : cost, (among, out) => {
    mapEntries(view.getCodes(among), numberByEntry, evaluate, among.size, out);
    if (numbers) replaceNumbers(fromNumbers.read(among), view.getNumbers(among), among.size, out);
  });
}

function compileByRow(bound: BoundBatch, plan: Plan): Numbers {
  const value = bound.rows.compileValue(plan);
  return createComputedNumbers(bound, COST.row, (among, out) => {
    const positions = among.list();
    for (let index = 0; index < among.size; index++) out[index] = toNumber(value(positions[index] as number));
  });
}

/** Creates numbers that `compute` writes to `out` when they are read. */
export function createComputedNumbers(
  bound: BoundBatch,
  cost: number,
  compute: (among: Subset, out: Float64Array) => void,
): Numbers {
  const vector = createVector(bound.limit);
  return {
    cost,
    read(among) {
      compute(among, vector.values);
      return vector;
    },
  };
}

function toNumber(value: Value): number {
  return typeof value === 'number' ? value : Number.NaN;
}
