const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Numbers as columns of characters, the greatest as high as a line; nothing stands for what is not above 0. Where they are too many, each column is the mean of some. */
export function drawSparkline(values: readonly number[], width: number): string {
  const columns = values.length <= width ? values : means(values, width);
  const greatest = columns.reduce((most, value) => Math.max(most, value), 0);
  return columns
    .map((value) => (value > 0 ? (LEVELS[Math.ceil((value / greatest) * LEVELS.length) - 1] ?? '▁') : ' '))
    .join('');
}

function means(values: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const part = values.slice(
      Math.floor((index * values.length) / count),
      Math.floor(((index + 1) * values.length) / count),
    );
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}

// biome-ignore format: a table, to be read by its rows
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** Seconds as people read them, by the two greatest units: `2d 4h`, `3m 20s`, `1.5s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const index = UNITS.findIndex(([, size]) => whole >= size);
  const [unit, size] = UNITS[index] ?? [];
  if (unit === undefined) return `${Math.round(seconds * 10) / 10}s`;
  const [smaller, part] = UNITS[index + 1] ?? ['s', 1];
  const rest = Math.floor((whole % size) / part);
  return `${Math.floor(whole / size)}${unit}${rest === 0 ? '' : ` ${rest}${smaller}`}`;
}

/** A share as people read it, in at most four characters: `9.4%`, `42%`; only all of something is `100%`. */
export function formatPercent(share: number): string {
  const percents = share * 100;
  if (percents > 0 && percents < 9.95) return `${percents.toFixed(1)}%`;
  return `${share < 1 ? Math.min(99, Math.round(percents)) : Math.round(percents)}%`;
}
