const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** Returns a double between two others, with about as many doubles below as above it; the lower of two adjacent ones. */
export function findMiddle(low: number, high: number): number {
  return toDouble((toPosition(low) + toPosition(high)) >> 1n);
}

/** Returns the place of a double among all of them, 0 for 0. */
function toPosition(number: number): bigint {
  double[0] = Math.abs(number);
  return number < 0 ? -(bits[0] as bigint) : (bits[0] as bigint);
}

function toDouble(position: bigint): number {
  bits[0] = position < 0n ? -position : position;
  return position < 0n ? -(double[0] as number) : (double[0] as number);
}
