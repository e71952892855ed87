const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** Returns the next larger double; Infinity for the largest finite one. */
export function roundUpToNext(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  double[0] = number;
  bits[0] = (bits[0] as bigint) + (number > 0 ? 1n : -1n);
  return double[0];
}

/** Returns the next smaller double; -Infinity for the smallest finite one. */
export function roundDownToNext(number: number): number {
  return -roundUpToNext(-number);
}
