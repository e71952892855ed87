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
