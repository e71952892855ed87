import { roundDownToNext, roundUpToNext } from '../adjacent-doubles.ts';
import type { BinaryName } from '../ast.ts';

/** The numbers from `low` to `high`, both included. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

export type Order = '<' | '<=' | '>' | '>=';

/** The order that has the same meaning when the operands are swapped. */
export const MIRRORED: Readonly<Record<Order, Order>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Returns whether an operator compares by order. */
export function isOrder(operator: BinaryName): operator is Order {
  return Object.hasOwn(MIRRORED, operator);
}

/** Returns the range of the numbers that compare so with a limit. Its ends are finite unless it is empty. */
export function toNumberRange(order: Order, limit: number): NumberRange {
  const { MAX_VALUE } = Number;
  switch (order) {
    case '<':
      return { low: -MAX_VALUE, high: roundDownToNext(limit) };
    case '<=':
      return { low: -MAX_VALUE, high: limit };
    case '>':
      return { low: roundUpToNext(limit), high: MAX_VALUE };
    case '>=':
      return { low: limit, high: MAX_VALUE };
  }
}
