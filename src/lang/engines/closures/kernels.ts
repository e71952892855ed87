// biome-ignore-all format: written by `npm run generate` from the kernels in src/lang/operators/table.ts
import type { OverloadId } from '../../operators/table.ts';
import type { Closure } from '../../plan/engine.ts';
import { computeRemainder, nanIfNotFinite } from '../../plan/numbers.ts';

type Numeric = Closure<number>;
type Kernel<Result> = (first: Numeric, second: Numeric) => Closure<Result>;

/** Closures over numbers, by overload. With one operand, the second is ignored. NaN means that there is no number. */
export type Kernels<Result> = Readonly<Partial<Record<OverloadId, Kernel<Result>>>>;

/** The kernels that return a number. */
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

/** The kernels that return a boolean: false if an operand is not a number. */
export const TESTS: Kernels<boolean> = {
  'less.number': (left, right) => (properties, user, now) => left(properties, user, now) < right(properties, user, now),
  'atMost.number': (left, right) => (properties, user, now) => left(properties, user, now) <= right(properties, user, now),
  'greater.number': (left, right) => (properties, user, now) => left(properties, user, now) > right(properties, user, now),
  'atLeast.number': (left, right) => (properties, user, now) => left(properties, user, now) >= right(properties, user, now),
};
