export interface Summary {
  readonly median: number;
  readonly min: number;
}

/** Returns the median and the minimum, which is least affected by other load. */
export function summarize(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return {
    median: roundToThreeDigits((at(Math.floor(middle)) + at(Math.ceil(middle))) / 2),
    min: roundToThreeDigits(at(0)),
  };
}

/** Rounds to three significant digits, because the rest is noise. */
function roundToThreeDigits(value: number): number {
  return Number(value.toPrecision(3));
}

/** Returns the geometric mean, for ratios. */
export function computeGeometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
