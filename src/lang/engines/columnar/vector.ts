/** The numbers of some rows, NaN where a row has none. The number of row `i` is `values[i & mask]`. */
export interface NumberVector {
  readonly values: Float64Array;
  /** -1, or 0 if all rows have the same number. */
  readonly mask: number;
}

/** Creates a vector with the same number, or NaN, in every row. */
export function createConstantVector(number: number): NumberVector {
  return { values: Float64Array.of(number), mask: 0 };
}

/** Creates a vector for the results of `rows` rows. */
export function createVector(rows: number): NumberVector {
  return { values: new Float64Array(rows), mask: -1 };
}
