import type { OutputStream } from '../terminal/output-stream.ts';
import { layOutInput, type Piece } from './lay-out.ts';

const CLEAR_BELOW = '\x1b[J';
const CLEAR_SCREEN = '\x1b[H\x1b[J';
const DEFAULT_HEIGHT = 24;

/** Paints the line that is being typed on a terminal, over several rows if needed. */
export class LinePainter {
  /** The row of the cursor, counted from the first painted row. */
  private row = 0;
  private columns = 0;
  /** Whether the cursor is alone on the row below a full one. */
  private isBelow = false;
  private painted = '';

  constructor(private readonly output: OutputStream) {}

  /**
   * Paints a line over the previous one in a single write, unless it is unchanged. Shows the rows around the cursor if
   * the line does not fit on the screen.
   */
  paint(pieces: readonly Piece[], cursor: number): void {
    const columns = this.output.columns;
    const { rows, cursor: place } = layOutInput(pieces, cursor, columns);
    const height = this.output.stream.rows || DEFAULT_HEIGHT;
    const first = Math.max(0, Math.min(place.row - Math.floor(height / 2), rows.length - height));
    const shown = rows.slice(first, first + height);
    const row = place.row - first;
    // After a resize, some terminals wrap their contents again and some do not. Moving up too few rows leaves a piece
    // of the line behind; too many would overwrite earlier output.
    const above = columns === this.columns ? this.row : Math.min(this.row, row);
    const text = `${joinRows(shown, first + shown.length === rows.length)}${moveUp(shown.length - 1 - row)}\r${moveRight(place.column)}`;
    if (text !== this.painted || columns !== this.columns) this.output.write(`${moveUp(above)}\r${text}`);
    this.row = row;
    this.isBelow = rows.length > 1 && rows.at(-1) === '';
    this.columns = columns;
    this.painted = text;
  }

  /** Keeps the painted line and moves the cursor below it. */
  leave(): void {
    if (!this.isBelow) this.output.write('\n');
    this.forget();
  }

  /** Clears the screen. The next line is painted at the top. */
  clearScreen(): void {
    this.output.write(CLEAR_SCREEN);
    this.forget();
  }

  /** Starts the next line at the cursor. */
  forget(): void {
    this.row = 0;
    this.painted = '';
  }
}

/**
 * Joins rows. A terminal wraps a full row only when more text follows, so an empty last row needs a line break. If rows
 * below are left out, clears nothing: the cursor is still at the end of a full row.
 */
function joinRows(rows: readonly string[], whole: boolean): string {
  const behindFull = rows.length > 1 && rows.at(-1) === '';
  return `${rows.join('')}${behindFull ? '\r\n' : ''}${whole ? CLEAR_BELOW : ''}`;
}

function moveUp(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : '';
}

function moveRight(columns: number): string {
  return columns > 0 ? `\x1b[${columns}C` : '';
}
