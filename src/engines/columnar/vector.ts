/** The numbers of some rows, one after the other, NaN where a row has none: that of the i-th row is `values[i & mask]`. */
export interface Vector {
  readonly values: Float64Array;
  /** -1; 0 where one number stands for every row. */
  readonly mask: number;
}

/** The vector of one number, or of NaN, in every row. */
export function createConstantVector(number: number): Vector {
  return { values: Float64Array.of(number), mask: 0 };
}

/** A vector for results, for so many rows. */
export function createVector(rows: number): Vector {
  return { values: new Float64Array(rows), mask: -1 };
}
