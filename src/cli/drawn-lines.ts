import { measureWidth } from '../util/display-width.ts';
import type { OutputStream } from './output-stream.ts';
import { bar, type Column, tableLines } from './table.ts';

const LONGEST_DRAWING = 40;
const SHORTEST_DRAWING = 8;
const SHORTEST_NAME = 8;
const GAP = 2;

/** A table for a stream, with something drawn behind each row where there is room; names in the first column give way to the rest. */
export function drawnLines(
  out: OutputStream,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  draw: (row: number, width: number) => string,
): string[] {
  const space = out.columns;
  const others = columns.slice(1).map(({ title }, index) => {
    return GAP + rows.reduce((width, row) => Math.max(width, measureWidth(row[index + 1] ?? '')), measureWidth(title));
  });
  const taken = others.reduce((sum, width) => sum + width, 0);
  const [title = '', ...lines] = tableLines(columns, rows, Math.max(SHORTEST_NAME, space - taken));
  const widest = lines.reduce((width, line) => Math.max(width, measureWidth(line)), measureWidth(title));
  const room = space - widest - GAP;
  const width = room < SHORTEST_DRAWING ? 0 : Math.min(LONGEST_DRAWING, room);
  const drawn = lines.map((line, index) => {
    const drawing = width === 0 ? '' : draw(index, width).trimEnd();
    const blank = ' '.repeat(widest + GAP - measureWidth(line));
    return drawing === '' ? line : `${line}${blank}${out.styled('cyan', drawing)}`;
  });
  return [out.styled('bold', title), ...drawn];
}

/** A table for a stream, with a bar for each row as long as its share of the greatest. */
export function barLines(
  out: OutputStream,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  values: readonly number[],
): string[] {
  const greatest = values.reduce((most, value) => Math.max(most, value), 0);
  return drawnLines(out, columns, rows, (row, width) => bar(greatest === 0 ? 0 : (values[row] ?? 0) / greatest, width));
}
