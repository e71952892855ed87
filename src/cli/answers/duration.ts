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
