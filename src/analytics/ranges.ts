/** Widths that people choose, up to powers of ten. */
const STEPS = [1, 2, 2.5, 5];

/** Ranges of doubles that are apart by less than this have no place between them. */
const LEAST_POWER = -307;

/**
 * The least width that people would choose by which numbers from one to another are in so many ranges at most, each beginning at a multiple of it.
 * Numbers on both sides of 0 are in two ranges at least; a number alone is in one of width 1.
 */
export function rangeWidth(least: number, greatest: number, most: number): number {
  if (least === greatest) return 1;
  const roughly = Math.max((greatest - least) / most, Math.abs(greatest) * Number.EPSILON, Number.MIN_VALUE);
  const power = Math.max(LEAST_POWER, Math.floor(Math.log10(roughly)) - 1);
  for (let exponent = power; ; exponent++) {
    for (const step of STEPS) {
      const width = Number(`${step}e${exponent}`);
      const [first, last] = [Math.floor(least / width), Math.floor(greatest / width)];
      // The ranges tell where 0 is, not the numbers: a small one below 0 is rounded to 0 when it is divided.
      if (last - first < (first < 0 && last >= 0 ? Math.max(most, 2) : most)) return width;
    }
  }
}

const DIGITS = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 15 });

/** How people write the range that is a number of widths from 0 on: `2,000 - 2,100`. */
export function rangeLabel(number: number, width: number): string {
  return `${DIGITS.format(number * width)} - ${DIGITS.format((number + 1) * width)}`;
}
