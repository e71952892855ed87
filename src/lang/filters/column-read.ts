import { dispatch } from '../plan/dispatch.ts';
import type { Plan } from '../plan/plan.ts';
import type { Value } from '../value.ts';

/** A property, or the result of one unary operator on a property, such as `number(properties["amount"])`. */
export interface ColumnRead {
  readonly scope: 'properties' | 'user';
  readonly name: string;
  /** The operator; undefined for the property itself. */
  readonly cast: Cast | undefined;
  /** The value without the property. */
  readonly missing: Value;
}

interface Cast {
  /** Tells operators apart. */
  readonly id: string;
  readonly evaluate: (value: Value) => Value;
}

/** Returns what a plan reads, if it is a property or a unary operator on one. */
export function castRead(plan: Plan): ColumnRead | undefined {
  if (plan.kind === 'read') return { scope: plan.scope, name: plan.name, cast: undefined, missing: undefined };
  const [operand, second] = plan.kind === 'apply' ? plan.operands : [];
  if (plan.kind !== 'apply' || operand?.kind !== 'read' || second !== undefined) return undefined;
  const evaluate = dispatch(plan.overloads);
  const { scope, name } = operand;
  return { scope, name, cast: { id: `${plan.row.fixity} ${plan.row.name}`, evaluate }, missing: evaluate(undefined) };
}
