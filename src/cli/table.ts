import { truncate } from '../util/cut.ts';
import { measureWidth } from '../util/display-width.ts';
import { escapeUnprintable } from '../util/printable.ts';

/** A column of a table: numbers stand right, text left. */
export interface TerminalColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Columns of numbers behind one of names. */
export function numberColumns(names: string, ...numbers: readonly string[]): TerminalColumn[] {
  return [{ title: names, align: 'left' }, ...numbers.map((title) => ({ title, align: 'right' }) as const)];
}

const GAP = '  ';
const MAX_CELL_WIDTH = 60;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Lines of a table whose columns are as wide as their widest cell; a cell that is wider than most screens, or than is wanted, is cut. */
export function renderTable(
  columns: readonly TerminalColumn[],
  rows: readonly (readonly string[])[],
  widest = MAX_CELL_WIDTH,
): string[] {
  const cells = [columns.map(({ title }) => title), ...rows].map((row) => row.map((text) => formatCell(text, widest)));
  const widths = columns.map((_, index) => {
    return cells.reduce((width, row) => Math.max(width, measureWidth(row[index] ?? '')), 0);
  });
  return cells.map((row) => {
    const padded = columns.map(({ align }, index) => pad(row[index] ?? '', widths[index] ?? 0, align));
    return padded.join(GAP).trimEnd();
  });
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const blank = ' '.repeat(Math.max(0, width - measureWidth(text)));
  return align === 'right' ? blank + text : text + blank;
}

/** A text as a table shows it. */
export function formatCell(text: string, widest = MAX_CELL_WIDTH): string {
  return truncate(escapeUnprintable(text), Math.min(widest, MAX_CELL_WIDTH));
}

/** A bar of a share of a width, to an eighth of a column. */
export function drawBar(share: number, width: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * width * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
