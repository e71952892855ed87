import { measureWidth } from '../util/display-width.ts';
import type { OutputStream } from './output-stream.ts';
import { drawBar, renderTable, type TerminalColumn } from './table.ts';

const MAX_DRAWING_WIDTH = 40;
const MIN_DRAWING_WIDTH = 8;
const MIN_NAME_WIDTH = 8;
const DRAWING_GAP = 2;

/** A table for a stream, with something drawn behind each row where there is room; names in the first column give way to the rest. */
export function renderDrawnTable(
  out: OutputStream,
  columns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  draw: (row: number, width: number) => string,
): string[] {
  const space = out.columns;
  const others = columns.slice(1).map(({ title }, index) => {
    return (
      DRAWING_GAP +
      rows.reduce((width, row) => Math.max(width, measureWidth(row[index + 1] ?? '')), measureWidth(title))
    );
  });
  const taken = others.reduce((sum, width) => sum + width, 0);
  const [title = '', ...lines] = renderTable(columns, rows, Math.max(MIN_NAME_WIDTH, space - taken));
  const widest = lines.reduce((width, line) => Math.max(width, measureWidth(line)), measureWidth(title));
  const room = space - widest - DRAWING_GAP;
  const width = room < MIN_DRAWING_WIDTH ? 0 : Math.min(MAX_DRAWING_WIDTH, room);
  const drawn = lines.map((line, index) => {
    const drawing = width === 0 ? '' : draw(index, width).trimEnd();
    const blank = ' '.repeat(widest + DRAWING_GAP - measureWidth(line));
    return drawing === '' ? line : `${line}${blank}${out.styled('cyan', drawing)}`;
  });
  return [out.styled('bold', title), ...drawn];
}

/** A table for a stream, with a bar for each row as long as its share of the greatest. */
export function renderBars(
  out: OutputStream,
  columns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  values: readonly number[],
): string[] {
  const greatest = values.reduce((most, value) => Math.max(most, value), 0);
  return renderDrawnTable(out, columns, rows, (row, width) =>
    drawBar(greatest === 0 ? 0 : (values[row] ?? 0) / greatest, width),
  );
}
