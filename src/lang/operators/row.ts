import type { TypeSet } from '../types.ts';
import type { Value } from '../value.ts';
import type { TimeZone } from './time-zone.ts';

/** The binding powers of operators, loosest first (language, section 2). */
export const POWER = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, negation: 7, primary: 8 } as const;

export type Power = (typeof POWER)[keyof typeof POWER];

/** An expression and its value as JSON, or `undefined`. A test evaluates every example. */
type Example = readonly [expression: string, value: string];

/** One combination of operand types of a strict operator, and its result. */
export interface Overload<Id extends string = string> {
  /** Unique among all overloads. Engines that cannot call `evaluate`, such as SQL, implement the overload by its id. */
  readonly id: Id;
  /** The types that each operand can have. */
  readonly operands: readonly TypeSet[];
  /** The types that the result can have. */
  readonly result: TypeSet;
  readonly evaluate: (...operands: never[]) => Value;
  /** The operands whose length determines the time. A test requires it for overloads of strings and lists. */
  readonly grows?: Growth;
  /**
   * Returns JavaScript that computes the result from numbers only, for engines that keep numbers as doubles. NaN stands
   * for a value that is not a number. The code can call the exports of `plan/numbers.ts`. It uses the code of each
   * operand, which binds tightest, once. Without a kernel, engines call `evaluate`, which is slower.
   */
  readonly kernel?: (...operands: string[]) => string;
  /** The time zone in which `evaluate` reads dates without one. Undefined for UTC. */
  readonly timeZone?: TimeZone;
}

/** Any operand, the shorter of two operands of the same type, the last operand, or none. */
type Growth = 'any' | 'shorter' | 'last' | 'never';

interface Row {
  /** The word or symbol, in its canonical spelling. */
  readonly name: string;
  readonly power: Power;
  readonly summary: string;
  readonly examples: readonly Example[];
}

/**
 * An operator that evaluates all its operands. The first overload that matches the types of their values gives the
 * result. If none matches, the result is undefined.
 */
export interface StrictRow<Id extends string = string> extends Row {
  readonly fixity: 'infix' | 'prefix' | 'function';
  readonly overloads: readonly Overload<Id>[];
}

/** A strict operator between two operands. */
export interface BinaryRow extends StrictRow {
  readonly fixity: 'infix';
  readonly overloads: readonly (Overload & { readonly operands: readonly [TypeSet, TypeSet] })[];
}

/** A strict operator before its operand. */
export interface PrefixRow extends StrictRow {
  readonly fixity: 'prefix';
  readonly overloads: readonly UnaryOverload[];
}

/** A strict operator with its operand in parentheses. */
export interface FunctionRow extends StrictRow {
  readonly fixity: 'function';
  readonly power: typeof POWER.primary;
  readonly overloads: readonly UnaryOverload[];
}

type UnaryOverload = Overload & { readonly operands: readonly [TypeSet] };

/**
 * `and` or `or`. Each operand must be a boolean or undefined, which counts as false; any other value is a type error.
 * The result is `decidedBy` if an operand is, else the opposite.
 */
export interface LogicalRow extends Row {
  readonly fixity: 'logical';
  readonly decidedBy: boolean;
}

/** A word whose value comes from the query. */
export interface WordRow extends Row {
  readonly fixity: 'word';
  readonly result: TypeSet;
}

export type OperatorRow = StrictRow | LogicalRow | WordRow;
