// biome-ignore-all format: written by `npm run generate` from the kernels in src/lang/operators/table.ts
import type { OverloadId } from '../../operators/table.ts';
import { computeRemainder } from '../../plan/numbers.ts';
import type { NumberVector } from './vector.ts';

// Each loop writes the first `count` numbers to `out`. The loops differ in one expression: shared, it would be a
// call, and several times slower. `x + (x - x)` is x, or NaN if x is infinite: faster in a loop than a call of
// `nanIfNotFinite`.

type UnaryKernel = (operand: NumberVector, count: number, out: Float64Array) => void;
type BinaryKernel = (left: NumberVector, right: NumberVector, count: number, out: Float64Array) => void;

/** The loops over one vector, by overload. */
export const UNARY_KERNELS: Readonly<Partial<Record<OverloadId, UnaryKernel>>> = {
  'negate': ({ values, mask }, count, out) => {
    for (let index = 0; index < count; index++) {
      out[index] = -(values[index & mask] as number);
    }
  },
  'floor': ({ values, mask }, count, out) => {
    for (let index = 0; index < count; index++) {
      out[index] = Math.floor((values[index & mask] as number));
    }
  },
  'ceil': ({ values, mask }, count, out) => {
    for (let index = 0; index < count; index++) {
      out[index] = Math.ceil((values[index & mask] as number));
    }
  },
};

/** The loops over two vectors, by overload. */
export const BINARY_KERNELS: Readonly<Partial<Record<OverloadId, BinaryKernel>>> = {
  'add': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const x = (left[index & mask] as number) + (right[index & rightMask] as number);
      out[index] = x + (x - x);
    }
  },
  'subtract': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const x = (left[index & mask] as number) - (right[index & rightMask] as number);
      out[index] = x + (x - x);
    }
  },
  'multiply': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const x = (left[index & mask] as number) * (right[index & rightMask] as number);
      out[index] = x + (x - x);
    }
  },
  'divide': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      const x = (left[index & mask] as number) / (right[index & rightMask] as number);
      out[index] = x + (x - x);
    }
  },
  'remainder': ({ values: left, mask }, { values: right, mask: rightMask }, count, out) => {
    for (let index = 0; index < count; index++) {
      out[index] = computeRemainder((left[index & mask] as number), (right[index & rightMask] as number));
    }
  },
};
