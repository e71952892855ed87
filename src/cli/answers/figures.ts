const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * Draws a sparkline: a character per number, relative to the largest, and a space for 0 or less. With more numbers than
 * `width`, each character shows the mean of several.
 */
export function drawSparkline(values: readonly number[], width: number): string {
  const columns = values.length <= width ? values : averageParts(values, width);
  const max = columns.reduce((largest, value) => Math.max(largest, value), 0);
  return columns
    .map((value) => (value > 0 ? (LEVELS[Math.ceil((value / max) * LEVELS.length) - 1] ?? '▁') : ' '))
    .join('');
}

/** Returns the means of consecutive parts of values, as many parts as `count`, of about the same length. */
export function averageParts(values: readonly number[], count: number): number[] {
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

/** Formats seconds in their two largest units: `2d 4h`, `3m 20s`, `1.5s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const index = UNITS.findIndex(([, size]) => whole >= size);
  const [unit, size] = UNITS[index] ?? [];
  if (unit === undefined) return `${Math.round(seconds * 10) / 10}s`;
  const [smaller, part] = UNITS[index + 1] ?? ['s', 1];
  const rest = Math.floor((whole % size) / part);
  return `${Math.floor(whole / size)}${unit}${rest === 0 ? '' : ` ${rest}${smaller}`}`;
}

/** Formats a fraction in at most four characters: `9.4%`, `42%`. Only 0 becomes `0%`, only 1 and more `100%`. */
export function formatPercent(share: number): string {
  const percents = share * 100;
  if (percents > 0 && percents < 1) return '<1%';
  if (percents > 0 && percents < 9.95) return `${percents.toFixed(1)}%`;
  return `${share < 1 ? Math.min(99, Math.round(percents)) : Math.round(percents)}%`;
}
