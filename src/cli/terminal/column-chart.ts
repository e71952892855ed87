import { formatInteger, measureWidth, truncate } from '../../base/strings.ts';
import { averageParts } from '../answers/figures.ts';
import type { OutputStream } from './output-stream.ts';
import { formatCell } from './table.ts';

/** The height in lines, and the width of a column with the gap after it. */
const HEIGHT = 8;
const MAX_COLUMN_WIDTH = 8;

/** The most columns of the terminal that a chart takes. */
const MAX_WIDTH = 100;

const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Values over time. */
export interface ChartedSeries {
  readonly title: string;
  /** One for each value. */
  readonly labels: readonly string[];
  readonly values: readonly number[];
}

/**
 * Draws a column for each value, with a scale from 0 to the largest value. If there are more values than room, a column
 * is the mean of several. Values below 0 have no column.
 */
export function renderColumnChart(out: OutputStream, { title, labels, values }: ChartedSeries): string[] {
  const max = values.reduce((largest, value) => Math.max(largest, value), 0);
  const scale = [formatInteger(max), '0'];
  const margin = Math.max(...scale.map((text) => measureWidth(text)));
  const room = Math.max(MAX_COLUMN_WIDTH, Math.min(out.room, MAX_WIDTH) - margin - 2);
  const heights = (values.length <= room ? values : averageParts(values, room)).map((value) =>
    max === 0 ? 0 : Math.ceil((Math.max(0, value) / max) * HEIGHT * 8),
  );
  const width = Math.max(1, Math.min(MAX_COLUMN_WIDTH, Math.floor(room / heights.length)));
  const lines = Array.from({ length: HEIGHT }, (_, index) => {
    const below = (HEIGHT - 1 - index) * 8;
    const drawn = heights.map((height) => drawCell(Math.max(0, Math.min(8, height - below)), width)).join('');
    return `${(index === 0 && max > 0 ? (scale[0] ?? '') : '').padStart(margin)} │${drawn.trimEnd()}`.trimEnd();
  });
  const axis = `${'0'.padStart(margin)} └${'─'.repeat(heights.length * width)}`;
  const [first = '', last = first] = [labels[0], labels.at(-1)];
  const gap = Math.max(1, heights.length * width - measureWidth(first) - measureWidth(last));
  const ends = first === last ? first : `${first}${' '.repeat(gap)}${last}`;
  return [
    out.styled('bold', formatCell(title)),
    ...lines,
    axis,
    truncate(`${' '.repeat(margin + 2)}${ends}`, out.room),
  ];
}

/** Draws a cell of a column, filled by so many eighths. Wide columns have a gap. */
function drawCell(eighths: number, width: number): string {
  const block = EIGHTHS[eighths] ?? ' ';
  return width === 1 ? block : `${block.repeat(width - 1)} `;
}
