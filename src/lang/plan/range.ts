import type { BinaryName } from '../ast.ts';
import { roundDownToNext, roundUpToNext } from '../util/adjacent-doubles.ts';

/** The numbers from one to another, both included. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

export type Order = '<' | '<=' | '>' | '>=';

/** What an order says when its sides change places. */
export const MIRRORED: Readonly<Record<Order, Order>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Whether the operator compares by order. */
export function isOrder(operator: BinaryName): operator is Order {
  return Object.hasOwn(MIRRORED, operator);
}

/** The numbers that stand in this order to a limit. The ends are finite where any number does. */
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
