export interface Summary {
  readonly median: number;
  readonly min: number;
}

/** The median, for others use the machine too, and the least, which is what nobody disturbed. */
export function summarise(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return { median: rounded((at(Math.floor(middle)) + at(Math.ceil(middle))) / 2), min: rounded(at(0)) };
}

/** To three digits: the rest is noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** The mean of ratios. */
export function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
