import { ARROW_KIND, type ArrowData, type ArrowVector } from './arrow-vector.ts';

type NumberReader = (data: ArrowData, index: number) => number;

const SECONDS_PER_DAY = 86_400;
const HALF_PRECISION = 0;
const UNIT_DAY = 0;

/**
 * Returns the numbers of a column of numbers or times, with NaN for missing ones, or undefined for another kind of
 * column. Wide integers and decimals become the nearest double. Dates and timestamps become Unix seconds, like `now`
 * and `datetime(...)`.
 */
export function readArrowNumbers(vector: ArrowVector): Float64Array | undefined {
  const readNumberAt = getNumberReader(vector);
  if (readNumberAt === undefined) return undefined;
  return shareNumbers(vector) ?? readNumbers(vector, readNumberAt);
}

/** Returns the memory of the column itself if it holds finite doubles only, without nulls. */
function shareNumbers({ data: [data, ...others], length, nullCount }: ArrowVector): Float64Array | undefined {
  if (!(data?.values instanceof Float64Array) || others.length > 0 || nullCount > 0) return undefined;
  const numbers = data.values.subarray(0, length);
  return numbers.some((number) => Math.abs(number) === Infinity) ? undefined : numbers;
}

function readNumbers({ data: chunks, length, nullCount }: ArrowVector, readNumberAt: NumberReader): Float64Array {
  const numbers = new Float64Array(length);
  let row = 0;
  for (const data of chunks) {
    for (let index = 0; index < data.length; index++) {
      const number = nullCount === 0 || data.getValid(index) ? readNumberAt(data, index) : Number.NaN;
      numbers[row++] = Number.isFinite(number) ? number : Number.NaN;
    }
  }
  return numbers;
}

function getNumberReader({ type }: ArrowVector): NumberReader | undefined {
  const { unit = 0, scale = 0, precision } = type as { unit?: number; scale?: number; precision?: number };
  switch (type.typeId) {
    case ARROW_KIND.int:
      return readNumber;
    case ARROW_KIND.float:
      return precision === HALF_PRECISION ? (data, index) => decodeHalf(readNumber(data, index)) : readNumber;
    case ARROW_KIND.date:
      return unit === UNIT_DAY
        ? (data, index) => readNumber(data, index) * SECONDS_PER_DAY
        : (data, index) => readNumber(data, index) / 1000;
    case ARROW_KIND.timestamp:
      // Seconds, milli-, micro- or nanoseconds.
      return (data, index) => readNumber(data, index) / 1000 ** unit;
    case ARROW_KIND.decimal:
      // Parsing a decimal string rounds only once.
      return (data, index) => Number(`${readInteger(data, index)}e${-scale}`);
    default:
      return undefined;
  }
}

function readNumber({ values }: ArrowData, index: number): number {
  return Number((values as ArrayLike<number | bigint>)[index]);
}

/** Decodes a half-precision number from its 16 bits. Infinity becomes NaN. */
function decodeHalf(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return exponent === 31 ? Number.NaN : bits >> 15 === 0 ? size : -size;
}

/** Reads an integer of several 32-bit words, lowest first. */
function readInteger({ values, stride }: ArrowData, index: number): bigint {
  const words = (values as Uint32Array).subarray(index * stride, (index + 1) * stride);
  const unsigned = words.reduceRight((whole, word) => (whole << 32n) | BigInt(word), 0n);
  return BigInt.asIntN(32 * stride, unsigned);
}
