/** An axis of numbers: round ticks in order, from the lowest to the highest shown. */
interface NumberScale {
  readonly ticks: readonly number[];
  /** Returns where a number is: 0 at the lowest, 1 at the highest. */
  place(value: number): number;
}

/** Returns a scale from round ticks that includes 0 and all values, also the largest and the smallest doubles. */
export function createScale(values: readonly (number | null)[], maxTicks = 5): NumberScale {
  const numbers = values.filter((value) => value !== null);
  const least = numbers.reduce((low, value) => Math.min(low, value), 0);
  const most = numbers.reduce((high, value) => Math.max(high, value), 0);
  // A chart of zeros shows 0 and 1.
  const top = least === 0 && most === 0 ? 1 : most;
  const isWhole = numbers.every(Number.isInteger);
  const step = chooseStep(top / maxTicks - least / maxTicks, isWhole);
  const [from, to] = [Math.floor(least / step), Math.ceil(top / step)];
  const ticks = Array.from({ length: to - from + 1 }, (_, at) => limit((from + at) * step));
  const [low, high] = [ticks[0] as number, ticks.at(-1) as number];
  // Divided first: the distance between the largest numbers is infinite.
  const size = Math.max(Math.abs(low), Math.abs(high));
  return { ticks, place: (value) => (value / size - low / size) / (high / size - low / size) };
}

/** Returns the least round number that is not below a number: 1, 2, 2.5 or 5 times a power of ten. */
function chooseStep(least: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, Number.MIN_VALUE)));
  const steps = [1, 2, 2.5, 5, 10].map((digit) => digit * power);
  const isAllowed = (step: number) => step >= least && step > 0 && (!isWhole || Number.isInteger(step));
  return steps.find(isAllowed) ?? Math.max(least, isWhole ? 1 : Number.MIN_VALUE);
}

function limit(number: number): number {
  // Sums of tenths have many digits.
  const rounded = Number(number.toPrecision(12));
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, rounded));
}

/**
 * Moves the centres of labels apart, so that they do not overlap, and as little as possible.
 *
 * @param centres the positions where labels belong, in any order
 * @param size the height of a label
 * @returns the positions in the same order, from `size / 2` to `height - size / 2` if there is room for all
 */
export function spreadLabels(centres: readonly number[], size: number, height: number): number[] {
  const order = centres.map((_, at) => at).sort((a, b) => (centres[a] as number) - (centres[b] as number));
  // Labels that touch form a block around the mean of where they belong.
  const blocks: { top: number; labels: number[] }[] = [];
  for (const at of order) {
    let block = { top: (centres[at] as number) - size / 2, labels: [at] };
    for (
      let above = blocks.at(-1);
      above && above.top + above.labels.length * size > block.top;
      above = blocks.at(-1)
    ) {
      const [one, other] = [above.labels.length, block.labels.length];
      const top = (above.top * one + (block.top - one * size) * other) / (one + other);
      block = { top, labels: [...above.labels, ...block.labels] };
      blocks.pop();
    }
    blocks.push(block);
  }
  const placed = [...centres];
  let index = 0;
  for (const { top, labels } of blocks) {
    for (const [row, at] of labels.entries()) {
      // The labels above and below have to fit too.
      const [least, most] = [index * size, height - (centres.length - index) * size];
      placed[at] = Math.max(least, Math.min(most, top + row * size)) + size / 2;
      index++;
    }
  }
  return placed;
}

/** Rounds a place in a picture to a tenth of a pixel. */
export function round(number: number): number {
  return Math.round(number * 10) / 10;
}
