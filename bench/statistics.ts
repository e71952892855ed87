export interface Summary {
  readonly median: number;
  readonly min: number;
}

/** The median, for others use the machine too, and the least, which is what nobody disturbed. */
export function summarize(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return {
    median: roundToThreeDigits((at(Math.floor(middle)) + at(Math.ceil(middle))) / 2),
    min: roundToThreeDigits(at(0)),
  };
}

/** To three digits: the rest is noise. */
function roundToThreeDigits(value: number): number {
  return Number(value.toPrecision(3));
}

/** The mean of ratios. */
export function computeGeometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
