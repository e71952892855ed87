import { unreachable } from '../../base/unreachable.ts';
import type { Overload, StrictRow } from '../operators/row.ts';
import type { OverloadId } from '../operators/table.ts';
import type { Span } from '../source.ts';
import type { TypeSet } from '../types.ts';
import type { Scalar, Value } from '../value.ts';
import type { NumberRange, Order } from './range.ts';

/** A value that is the same for every record. */
interface Constant {
  readonly kind: 'constant';
  readonly value: Value;
}

/** A property of the record or of its user. */
export interface Read {
  readonly kind: 'read';
  readonly scope: 'properties' | 'user';
  readonly name: string;
}

/** The time of the query. */
interface Time {
  readonly kind: 'time';
}

/** A strict operator. The first overload that matches the operands gives the result; without one it is undefined. */
export interface Apply {
  readonly kind: 'apply';
  readonly row: StrictRow;
  /** The overloads that the operands can match, in the order of the table. */
  readonly overloads: readonly Overload<OverloadId>[];
  readonly operands: readonly Plan[];
}

/** True if the operand equals one of the values or, negated, none: `==` with a constant, `in` with a literal list. */
export interface OneOf {
  readonly kind: 'oneOf';
  readonly operand: Plan;
  /** Distinct scalars. */
  readonly values: readonly (Scalar | undefined)[];
  readonly negated: boolean;
}

/** True if the operand is a number in the range; undefined if it is not a number. */
export interface Between extends NumberRange {
  readonly kind: 'between';
  readonly operand: Plan;
  /** The comparison with `limit` that the range replaces. */
  readonly order: Order;
  readonly limit: number;
}

/** `and` or `or`. */
export interface LogicalChain {
  readonly kind: 'chain';
  /** The result if an operand is this, else its opposite. Evaluation can stop there if no later operand can fail. */
  readonly decidedBy: boolean;
  readonly operands: readonly Predicate[];
  /** The number of leading operands that are always evaluated. No operand after them can fail. */
  readonly strictOperands: number;
}

/** A checked tree with constants folded, overloads resolved and equalities merged: the input of all engines. */
export type Plan = (Constant | Read | Time | Apply | OneOf | Between | LogicalChain) & { readonly types: TypeSet };

/** A plan as an operand of `and` or `or`, or as a filter: undefined counts as false. */
export interface Predicate {
  readonly plan: Plan;
  /** True if it can raise a type error. */
  readonly canFail: boolean;
  /** The operator that a type error names; `where` for a filter. */
  readonly operator: 'and' | 'or' | 'where';
  /** The span of a type error. */
  readonly span: Span;
}

/** Returns the operands of a plan, in source order. */
export function getOperands(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case 'constant':
    case 'read':
    case 'time':
      return [];
    case 'apply':
      return plan.operands;
    case 'oneOf':
    case 'between':
      return [plan.operand];
    case 'chain':
      return plan.operands.map((operand) => operand.plan);
    default:
      return unreachable(plan);
  }
}
