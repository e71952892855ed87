import type { Overload, StrictRow } from '../operators/row.ts';
import type { OverloadId } from '../operators/table.ts';
import type { Span } from '../source.ts';
import type { TypeSet } from '../types.ts';
import { unreachable } from '../util/unreachable.ts';
import type { Scalar, Value } from '../value.ts';
import type { NumberRange, Order } from './range.ts';

/** A value that every record gives alike. */
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

/** A strict operator. The first overload that takes the operands' types answers; undefined where none does. */
export interface Apply {
  readonly kind: 'apply';
  readonly row: StrictRow;
  /** Those that the operands can meet, in the order of the table. */
  readonly overloads: readonly Overload<OverloadId>[];
  readonly operands: readonly Plan[];
}

/** Whether the operand equals one of the values or, negated, none: `==` and `!=` with a constant, `in` with a written list. */
export interface OneOf {
  readonly kind: 'oneOf';
  readonly operand: Plan;
  /** Distinct, never a list. */
  readonly values: readonly (Scalar | undefined)[];
  readonly negated: boolean;
}

/** Whether the operand is a number from one to another, both included; undefined where it is no number. */
export interface Between extends NumberRange {
  readonly kind: 'between';
  readonly operand: Plan;
  /** The same as it was written: the operand stands in this order to the limit. */
  readonly order: Order;
  readonly limit: number;
}

/** `and` or `or`. */
export interface LogicalChain {
  readonly kind: 'chain';
  /** The answer as soon as one operand is this and none that is left can fail, and otherwise its opposite. */
  readonly decidedBy: boolean;
  readonly operands: readonly Predicate[];
  /** How many leading operands are always evaluated. No operand after them can fail. */
  readonly strictOperands: number;
}

/** What a checked tree comes down to: constants folded, overloads resolved, equalities gathered. */
export type Plan = (Constant | Read | Time | Apply | OneOf | Between | LogicalChain) & { readonly types: TypeSet };

/** A plan as an operand of `and` or `or`, or as a filter: undefined counts as false. */
export interface Predicate {
  readonly plan: Plan;
  /** Whether judging it can raise a type error. */
  readonly canFail: boolean;
  /** Whose operand it is. */
  readonly operator: 'and' | 'or' | 'where';
  /** Where a type error points to. */
  readonly span: Span;
}

/** The plans directly below a plan, in source order. */
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
