// biome-ignore-all format: written by `npm run generate` from the kernels in src/lang/operators/table.ts
import type { OverloadId } from '../../operators/table.ts';
import type { Closure } from '../../plan/engine.ts';
import { computeRemainder, nanIfNotFinite } from '../../plan/numbers.ts';

type Numeric = Closure<number>;
type Kernel<Answer> = (first: Numeric, second: Numeric) => Closure<Answer>;

/** Closures over numbers, by overload; those for one operand ignore the second. NaN stands for what is not a number. */
export type Kernels<Answer> = Readonly<Partial<Record<OverloadId, Kernel<Answer>>>>;

/** Those that answer a number. */
export const NUMBERS: Kernels<number> = {
  'add': (left, right) => (properties, user, now) => nanIfNotFinite(left(properties, user, now) + right(properties, user, now)),
  'subtract': (left, right) => (properties, user, now) => nanIfNotFinite(left(properties, user, now) - right(properties, user, now)),
  'multiply': (left, right) => (properties, user, now) => nanIfNotFinite(left(properties, user, now) * right(properties, user, now)),
  'divide': (left, right) => (properties, user, now) => nanIfNotFinite(left(properties, user, now) / right(properties, user, now)),
  'remainder': (left, right) => (properties, user, now) => computeRemainder(left(properties, user, now), right(properties, user, now)),
  'negate': (operand) => (properties, user, now) => -operand(properties, user, now),
  'floor': (operand) => (properties, user, now) => Math.floor(operand(properties, user, now)),
  'ceil': (operand) => (properties, user, now) => Math.ceil(operand(properties, user, now)),
};

/** Those that answer a boolean: false if an operand is not a number. */
export const TESTS: Kernels<boolean> = {
  'less.number': (left, right) => (properties, user, now) => left(properties, user, now) < right(properties, user, now),
  'atMost.number': (left, right) => (properties, user, now) => left(properties, user, now) <= right(properties, user, now),
  'greater.number': (left, right) => (properties, user, now) => left(properties, user, now) > right(properties, user, now),
  'atLeast.number': (left, right) => (properties, user, now) => left(properties, user, now) >= right(properties, user, now),
};
