import { escapeUnprintable, measureWidth } from '../../base/strings.ts';

/** A coloured piece of a line. */
export interface Piece {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

/** A line laid out on the rows of a terminal. */
export interface Layout {
  /** The escaped and coloured rows. Written without line breaks, the terminal wraps them itself. */
  readonly rows: readonly string[];
  /** The position of the cursor, counted from 0. */
  readonly cursor: { readonly row: number; readonly column: number };
}

/**
 * Lays out a line on a terminal, with the cursor before the character at an offset. A full last row is followed by an
 * empty one for the cursor.
 */
export function layOutInput(pieces: readonly Piece[], cursor: number, columns: number): Layout {
  const rows = [''];
  let column = 0;
  let offset = 0;
  let place: Layout['cursor'] | undefined;
  const write = (text: string) => {
    rows[rows.length - 1] += text;
  };
  for (const { text, paint = keepPlain } of pieces) {
    let run = '';
    for (const character of text) {
      const shown = escapeUnprintable(character);
      const width = measureWidth(shown);
      if (column + width > columns) {
        write(paint(run));
        run = '';
        rows.push('');
        column = 0;
      }
      if (offset >= cursor) place ??= { row: rows.length - 1, column };
      run += shown;
      column += width;
      offset += character.length;
    }
    write(paint(run));
  }
  if (column >= columns) {
    rows.push('');
    column = 0;
  }
  return { rows, cursor: place ?? { row: rows.length - 1, column } };
}

function keepPlain(text: string): string {
  return text;
}
