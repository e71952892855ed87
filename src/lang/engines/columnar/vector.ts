/** The numbers of some rows, one after the other, NaN where a row has none: that of the i-th row is `values[i & mask]`. */
export interface NumberVector {
  readonly values: Float64Array;
  /** -1; 0 where one number stands for every row. */
  readonly mask: number;
}

/** The vector of one number, or of NaN, in every row. */
export function createConstantVector(number: number): NumberVector {
  return { values: Float64Array.of(number), mask: 0 };
}

/** A vector for results, for so many rows. */
export function createVector(rows: number): NumberVector {
  return { values: new Float64Array(rows), mask: -1 };
}
