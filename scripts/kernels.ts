import type { Overload } from '../src/lang/operators/row.ts';
import { OPERATORS } from '../src/lang/operators/table.ts';
import * as numbers from '../src/lang/plan/numbers.ts';
import { NUMBER } from '../src/lang/types.ts';

type NumericOverload = Overload & Required<Pick<Overload, 'kernel'>>;

const OVERLOADS = OPERATORS.flatMap((row) => ('overloads' in row ? row.overloads : [])).filter(
  (overload): overload is NumericOverload => overload.kernel !== undefined,
);

const ARITHMETIC = OVERLOADS.filter(({ result }) => (result & NUMBER) !== 0);
const TESTS = OVERLOADS.filter(({ result }) => (result & NUMBER) === 0);

const HEAD = `// biome-ignore-all format: written by \`npm run generate\` from the kernels in src/lang/operators/table.ts
import type { OverloadId } from '../../operators/table.ts';`;

/** Generates the closures over numbers. */
export function writeClosureKernels(): string {
  return `${HEAD}
import type { Closure } from '../../plan/engine.ts';
${importCalled(OVERLOADS.map(closure))}

type Numeric = Closure<number>;
type Kernel<Result> = (first: Numeric, second: Numeric) => Closure<Result>;

/** Closures over numbers, by overload. With one operand, the second is ignored. NaN means that there is no number. */
export type Kernels<Result> = Readonly<Partial<Record<OverloadId, Kernel<Result>>>>;

/** The kernels that return a number. */
export const NUMBERS: Kernels<number> = {
${ARITHMETIC.map(closure).join('\n')}
};

/** The kernels that return a boolean: false if an operand is not a number. */
export const TESTS: Kernels<boolean> = {
${TESTS.map(closure).join('\n')}
};
`;
}

function closure({ id, operands, kernel }: NumericOverload): string {
  const names = operands.length === 1 ? ['operand'] : ['left', 'right'];
  const code = kernel(...names.map((name) => `${name}(properties, user, now)`));
  return `  '${id}': (${names.join(', ')}) => (properties, user, now) => ${code},`;
}

/** Generates the loops over numbers. */
export function writeColumnarKernels(): string {
  const unary = ARITHMETIC.filter(({ operands }) => operands.length === 1).map(loop);
  const binary = ARITHMETIC.filter(({ operands }) => operands.length === 2).map(loop);
  return `${HEAD}
${importCalled([...unary, ...binary])}
import type { NumberVector } from './vector.ts';

// Each loop writes the first \`count\` numbers to \`out\`. The loops differ in one expression: shared, it would be a
// call, and several times slower. \`x + (x - x)\` is x, or NaN if x is infinite: faster in a loop than a call of
// \`nanIfNotFinite\`.

type UnaryKernel = (operand: NumberVector, count: number, out: Float64Array) => void;
type BinaryKernel = (left: NumberVector, right: NumberVector, count: number, out: Float64Array) => void;

/** The loops over one vector, by overload. */
export const UNARY_KERNELS: Readonly<Partial<Record<OverloadId, UnaryKernel>>> = {
${unary.join('\n')}
};

/** The loops over two vectors, by overload. */
export const BINARY_KERNELS: Readonly<Partial<Record<OverloadId, BinaryKernel>>> = {
${binary.join('\n')}
};
`;
}

function loop({ id, operands, kernel }: NumericOverload): string {
  const isUnary = operands.length === 1;
  const vectors = isUnary ? '{ values, mask }' : '{ values: left, mask }, { values: right, mask: rightMask }';
  const elements = isUnary ? ['values[index & mask]'] : ['left[index & mask]', 'right[index & rightMask]'];
  const answer = kernel(...elements.map((element) => `(${element} as number)`));
  const [, unchecked] = /^nanIfNotFinite\((.*)\)$/.exec(answer) ?? [];
  const body = unchecked ? [`const x = ${unchecked};`, 'out[index] = x + (x - x);'] : [`out[index] = ${answer};`];
  return `  '${id}': (${vectors}, count, out) => {
    for (let index = 0; index < count; index++) {
      ${body.join('\n      ')}
    }
  },`;
}

/** Imports the helpers that the lines call. */
function importCalled(lines: readonly string[]): string {
  const called = Object.keys(numbers)
    .filter((name) => lines.some((line) => new RegExp(`\\b${name}\\(`).test(line)))
    .sort();
  return `import { ${called.join(', ')} } from '../../plan/numbers.ts';`;
}
