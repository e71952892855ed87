import { parseDecimal } from '../../language/value.ts';
import type { Closure } from '../../plan/engine.ts';

type Numeric = Closure<number>;

/** The overloads that answer a number for a number, by id. In and out, NaN stands for what is no number, and -0 for 0. */
export const UNARY_NUMBERS: Readonly<Record<string, (operand: Numeric) => Numeric>> = {
  negate: (operand) => (properties, user, now) => -operand(properties, user, now),
  floor: (operand) => (properties, user, now) => Math.floor(operand(properties, user, now)),
  ceil: (operand) => (properties, user, now) => Math.ceil(operand(properties, user, now)),
};

/** Those that answer a number for two. */
export const BINARY_NUMBERS: Readonly<Record<string, (left: Numeric, right: Numeric) => Numeric>> = {
  add: (left, right) => (properties, user, now) => finite(left(properties, user, now) + right(properties, user, now)),
  subtract: (left, right) => (properties, user, now) =>
    finite(left(properties, user, now) - right(properties, user, now)),
  multiply: (left, right) => (properties, user, now) =>
    finite(left(properties, user, now) * right(properties, user, now)),
  divide: (left, right) => (properties, user, now) =>
    finite(left(properties, user, now) / right(properties, user, now)),
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

/** `number(...)`, NaN for what has none. */
export function castToNumber(operand: Closure): Numeric {
  return (properties, user, now) => {
    const value = operand(properties, user, now);
    if (typeof value === 'number') return value;
    if (typeof value === 'string') return parseDecimal(value) ?? Number.NaN;
    return typeof value === 'boolean' ? Number(value) : Number.NaN;
  };
}

function finite(number: number): number {
  return number - number === 0 ? number : Number.NaN;
}

/** Whole numbers of 32 bits, as most are, have a much faster remainder. */
function remainder(left: number, right: number): number {
  const whole = left | 0;
  const divisor = right | 0;
  return whole === left && divisor === right && divisor !== 0 ? whole % divisor : left % right;
}
