import type { Closure } from '../../plan/engine.ts';
import { finiteOrNaN, remainder } from '../../plan/numbers.ts';

type Numeric = Closure<number>;

/** The overloads that answer a number for a number, by id. NaN stands for what is no number. */
export const UNARY_NUMBERS: Readonly<Record<string, (operand: Numeric) => Numeric>> = {
  negate: (operand) => (properties, user, now) => -operand(properties, user, now),
  floor: (operand) => (properties, user, now) => Math.floor(operand(properties, user, now)),
  ceil: (operand) => (properties, user, now) => Math.ceil(operand(properties, user, now)),
};

/** Those that answer a number for two. */
export const BINARY_NUMBERS: Readonly<Record<string, (left: Numeric, right: Numeric) => Numeric>> = {
  add: (left, right) => (properties, user, now) =>
    finiteOrNaN(left(properties, user, now) + right(properties, user, now)),
  subtract: (left, right) => (properties, user, now) =>
    finiteOrNaN(left(properties, user, now) - right(properties, user, now)),
  multiply: (left, right) => (properties, user, now) =>
    finiteOrNaN(left(properties, user, now) * right(properties, user, now)),
  divide: (left, right) => (properties, user, now) =>
    finiteOrNaN(left(properties, user, now) / right(properties, user, now)),
  remainder: (left, right) => (properties, user, now) =>
    remainder(left(properties, user, now), right(properties, user, now)),
};

/** Those that compare two numbers; true is the only answer that matters. */
export const COMPARISONS: Readonly<Record<string, (left: Numeric, right: Numeric) => Closure<boolean>>> = {
  'less.number': (left, right) => (properties, user, now) => left(properties, user, now) < right(properties, user, now),
  'atMost.number': (left, right) => (properties, user, now) =>
    left(properties, user, now) <= right(properties, user, now),
  'greater.number': (left, right) => (properties, user, now) =>
    left(properties, user, now) > right(properties, user, now),
  'atLeast.number': (left, right) => (properties, user, now) =>
    left(properties, user, now) >= right(properties, user, now),
};
