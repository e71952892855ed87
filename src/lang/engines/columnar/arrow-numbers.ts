import { ARROW_KIND, type ArrowData, type ArrowVector } from './arrow-vector.ts';

type NumberOf = (data: ArrowData, index: number) => number;

const SECONDS_A_DAY = 86_400;
const HALF_PRECISION = 0;
const UNIT_DAY = 0;

/**
 * The numbers of a column of numbers or times, NaN where there is none; `undefined` for a column of another kind. Wide integers and
 * decimals become the nearest double; dates and timestamps Unix seconds, as `now` and `datetime(...)` are.
 */
export function readArrowNumbers(vector: ArrowVector): Float64Array | undefined {
  const numberOf = numberOfKind(vector);
  if (numberOf === undefined) return undefined;
  return sharedNumbers(vector) ?? readNumbers(vector, numberOf);
}

/** The memory of the column itself, where it is just what is wanted. */
function sharedNumbers({ data: [data, ...others], length, nullCount }: ArrowVector): Float64Array | undefined {
  if (!(data?.values instanceof Float64Array) || others.length > 0 || nullCount > 0) return undefined;
  const numbers = data.values.subarray(0, length);
  return numbers.some((number) => Math.abs(number) === Infinity) ? undefined : numbers;
}

function readNumbers({ data: chunks, length, nullCount }: ArrowVector, numberOf: NumberOf): Float64Array {
  const numbers = new Float64Array(length);
  let row = 0;
  for (const data of chunks) {
    for (let index = 0; index < data.length; index++) {
      const number = nullCount === 0 || data.getValid(index) ? numberOf(data, index) : Number.NaN;
      numbers[row++] = Number.isFinite(number) ? number : Number.NaN;
    }
  }
  return numbers;
}

function numberOfKind({ type }: ArrowVector): NumberOf | undefined {
  const { unit = 0, scale = 0, precision } = type as { unit?: number; scale?: number; precision?: number };
  switch (type.typeId) {
    case ARROW_KIND.int:
      return numberAt;
    case ARROW_KIND.float:
      return precision === HALF_PRECISION ? (data, index) => ofHalf(numberAt(data, index)) : numberAt;
    case ARROW_KIND.date:
      return unit === UNIT_DAY
        ? (data, index) => numberAt(data, index) * SECONDS_A_DAY
        : (data, index) => numberAt(data, index) / 1000;
    case ARROW_KIND.timestamp:
      // Seconds, milli-, micro- or nanoseconds.
      return (data, index) => numberAt(data, index) / 1000 ** unit;
    case ARROW_KIND.decimal:
      // Written out and read, so that it is rounded once.
      return (data, index) => Number(`${wholeOf(data, index)}e${-scale}`);
    default:
      return undefined;
  }
}

function numberAt({ values }: ArrowData, index: number): number {
  return Number((values as ArrayLike<number | bigint>)[index]);
}

/** A number of half precision by its 16 bits. */
function ofHalf(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return exponent === 31 ? Number.NaN : bits >> 15 === 0 ? size : -size;
}

/** An integer of several words of 32 bits, the lowest first. */
function wholeOf({ values, stride }: ArrowData, index: number): bigint {
  const words = (values as Uint32Array).subarray(index * stride, (index + 1) * stride);
  const unsigned = words.reduceRight((whole, word) => (whole << 32n) | BigInt(word), 0n);
  return BigInt.asIntN(32 * stride, unsigned);
}
