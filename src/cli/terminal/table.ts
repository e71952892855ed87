import { escapeUnprintable, measureWidth, truncate } from '../../base/strings.ts';
import type { OutputStream } from './output-stream.ts';

/** A column of a table. Numbers are right-aligned, strings left-aligned. */
export interface TerminalColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Returns a column of names followed by columns of numbers. */
export function numberColumns(names: string, ...numbers: readonly string[]): TerminalColumn[] {
  return [{ title: names, align: 'left' }, ...numbers.map((title) => ({ title, align: 'right' }) as const)];
}

/** The columns between two columns of a table. */
export const GAP = 2;
/** The most columns of a cell. */
export const MAX_CELL_WIDTH = 60;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Renders a table whose columns are as wide as their widest cell. Cuts cells at `maxWidth`, and at 60 columns. */
export function renderTable(
  columns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  maxWidth = MAX_CELL_WIDTH,
): string[] {
  const cells = [columns.map(({ title }) => title), ...rows].map((row) =>
    row.map((text) => formatCell(text, maxWidth)),
  );
  const widths = columns.map((_, index) => {
    return cells.reduce((width, row) => Math.max(width, measureWidth(row[index] ?? '')), 0);
  });
  return cells.map((row) => {
    const padded = columns.map(({ align }, index) => pad(row[index] ?? '', widths[index] ?? 0, align));
    return padded.join(' '.repeat(GAP)).trimEnd();
  });
}

/** Renders a table with a bold title, cut to the terminal. */
export function renderTitledTable(
  out: OutputStream,
  columns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
): string[] {
  const [title = '', ...lines] = renderTable(columns, rows).map((line) => truncate(line, out.room));
  return [out.styled('bold', title), ...lines];
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const blank = ' '.repeat(Math.max(0, width - measureWidth(text)));
  return align === 'right' ? blank + text : text + blank;
}

/** Escapes and cuts a string for a table cell. */
export function formatCell(text: string, maxWidth = MAX_CELL_WIDTH): string {
  return truncate(escapeUnprintable(text), Math.min(maxWidth, MAX_CELL_WIDTH));
}

/** Draws a bar for a fraction of a width, to an eighth of a column. */
export function drawBar(share: number, width: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * width * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

const MAX_DRAWING_WIDTH = 40;
const MIN_DRAWING_WIDTH = 8;
const MIN_NAME_WIDTH = 8;

/** Renders a table with a drawing after each row if there is room. Cuts names in the first column first. */
export function renderDrawnTable(
  out: OutputStream,
  columns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  draw: (row: number, width: number) => string,
): string[] {
  const space = out.columns;
  const others = columns.slice(1).map(({ title }, index) => {
    return GAP + rows.reduce((width, row) => Math.max(width, measureWidth(row[index + 1] ?? '')), measureWidth(title));
  });
  const taken = others.reduce((sum, width) => sum + width, 0);
  const [title = '', ...lines] = renderTable(columns, rows, Math.max(MIN_NAME_WIDTH, space - taken));
  const widest = lines.reduce((width, line) => Math.max(width, measureWidth(line)), measureWidth(title));
  const room = space - widest - GAP;
  const width = room < MIN_DRAWING_WIDTH ? 0 : Math.min(MAX_DRAWING_WIDTH, room);
  const drawn = lines.map((line, index) => {
    const drawing = width === 0 ? '' : draw(index, width).trimEnd();
    const blank = ' '.repeat(widest + GAP - measureWidth(line));
    return drawing === '' ? line : `${line}${blank}${out.styled('cyan', drawing)}`;
  });
  return [out.styled('bold', title), ...drawn];
}

/** Renders a table with a bar for each row, relative to the largest value. */
export function renderBars(
  out: OutputStream,
  columns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  values: readonly number[],
): string[] {
  const max = values.reduce((largest, value) => Math.max(largest, value), 0);
  return renderDrawnTable(out, columns, rows, (row, width) => drawBar(max === 0 ? 0 : (values[row] ?? 0) / max, width));
}
