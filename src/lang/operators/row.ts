import type { TypeSet } from '../types.ts';
import type { Value } from '../value.ts';

/** How tight an operator binds, loosest first (language, section 2); a prefix or function has its operand as tight as it. */
export const POWER = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, negation: 7, primary: 8 } as const;

export type Power = (typeof POWER)[keyof typeof POWER];

/** An expression and what it answers as JSON, or `undefined`. A test runs every one. */
type Example = readonly [expression: string, answer: string];

/** One meaning of a strict operator: the operand types that it is for, and the answer for values of those types. */
export interface Overload<Id extends string = string> {
  /** Unique among all overloads; what an engine that cannot call `answer` implements it under. */
  readonly id: Id;
  readonly operands: readonly TypeSet[];
  readonly result: TypeSet;
  readonly answer: (...operands: never[]) => Value;
  /** The operands whose length it takes time by: a test asks it of every overload that takes strings or lists. */
  readonly grows?: Growth;
  /**
   * JavaScript that works out the answer from numbers alone, for engines that carry numbers as doubles (see
   * `plan/numbers.ts`,
   * whose exports it may call): NaN stands for a value that is not a number. Takes the text of each operand, which
   * binds tightest,
   * and uses it once. An overload without a kernel is slower, not wrong: engines call `answer`.
   */
  readonly kernel?: (...operands: string[]) => string;
}

/** Any operand, the shorter of two that have the same type, the last operand, or none. */
type Growth = 'any' | 'shorter' | 'last' | 'never';

interface Row {
  /** The word or symbol, as it is printed. */
  readonly name: string;
  readonly power: Power;
  readonly summary: string;
  readonly examples: readonly Example[];
}

/**
 * An operator that is a function of its operands' values. The first overload whose operand types hold the values answers;
 * where none does, the answer is undefined.
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
 * `and` or `or`: each operand must be a boolean or undefined, which counts as false; any other is a type error. The answer is
 * `decidedBy` if some operand is that, else the opposite.
 */
export interface LogicalRow extends Row {
  readonly fixity: 'logical';
  readonly decidedBy: boolean;
}

/** A word that is a value by itself: it comes from the query, not from operands. */
export interface WordRow extends Row {
  readonly fixity: 'word';
  readonly result: TypeSet;
}

export type OperatorRow = StrictRow | LogicalRow | WordRow;
