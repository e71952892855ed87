import type { OutputStream } from '../terminal/output-stream.ts';
import { layOutInput, type Piece } from './lay-out.ts';

const CLEAR_BELOW = '\x1b[J';
const CLEAR_SCREEN = '\x1b[H\x1b[J';
const DEFAULT_HEIGHT = 24;

/** Keeps a line that is being typed painted on a terminal, over as many rows as it takes. */
export class LinePainter {
  /** How far below the first painted row the cursor stands. */
  private row = 0;
  private columns = 0;
  /** Whether it stands on a row of its own, below one that is full. */
  private isBelow = false;
  private painted = '';

  constructor(private readonly output: OutputStream) {}

  /**
   * Paints a line over the one before, in one go; nothing where it is there already. Of a line that is higher than the screen, the
   * rows around the cursor.
   */
  paint(pieces: readonly Piece[], cursor: number): void {
    const columns = this.output.columns;
    const { rows, cursor: place } = layOutInput(pieces, cursor, columns);
    const height = this.output.stream.rows || DEFAULT_HEIGHT;
    const first = Math.max(0, Math.min(place.row - Math.floor(height / 2), rows.length - height));
    const shown = rows.slice(first, first + height);
    const row = place.row - first;
    // When they get narrower or wider, some terminals wrap anew what stands there and some do not. Too few rows up leave a piece of the
    // line behind, too many would overwrite an answer.
    const above = columns === this.columns ? this.row : Math.min(this.row, row);
    const text = `${bodyOf(shown, first + shown.length === rows.length)}${up(shown.length - 1 - row)}\r${right(place.column)}`;
    if (text !== this.painted || columns !== this.columns) this.output.write(`${up(above)}\r${text}`);
    this.row = row;
    this.isBelow = rows.length > 1 && rows.at(-1) === '';
    this.columns = columns;
    this.painted = text;
  }

  /** Leaves the line as it is painted, with the cursor behind it, and goes below it. */
  leave(): void {
    if (!this.isBelow) this.output.write('\n');
    this.forget();
  }

  /** Paints the next line at the top of an empty screen. */
  clearScreen(): void {
    this.output.write(CLEAR_SCREEN);
    this.forget();
  }

  /** What is painted next begins where the cursor is. */
  forget(): void {
    this.row = 0;
    this.painted = '';
  }
}

/**
 * The terminal breaks a full row only when something comes behind it, so an empty one has to be gone to. Where rows are left out below,
 * nothing is cleared there: the cursor still stands on the end of a full row.
 */
function bodyOf(rows: readonly string[], whole: boolean): string {
  const behindFull = rows.length > 1 && rows.at(-1) === '';
  return `${rows.join('')}${behindFull ? '\r\n' : ''}${whole ? CLEAR_BELOW : ''}`;
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : '';
}

function right(columns: number): string {
  return columns > 0 ? `\x1b[${columns}C` : '';
}
