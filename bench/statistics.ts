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

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** Returns the smallest samples that are not exceeded by 50 % and by 95 % of the samples. */
export function computePercentiles(samples: readonly number[]): Percentiles {
  const sorted = samples.toSorted((left, right) => left - right);
  const at = (share: number) => roundToThreeDigits(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN);
  return { p50: at(0.5), p95: at(0.95) };
}

/** Rounds to three significant digits, because the rest is noise. */
function roundToThreeDigits(value: number): number {
  return Number(value.toPrecision(3));
}

/** Returns the geometric mean, for ratios. */
export function computeGeometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
