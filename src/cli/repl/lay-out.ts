import { escapeUnprintable, measureWidth } from '../../lang/util/strings.ts';

/** A piece of what is shown on a line, and how it is coloured. */
export interface Piece {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

/** What a terminal shows on its rows. */
export interface Layout {
  /** The text of each row, made safe and coloured. Written one behind the other, the terminal breaks them itself. */
  readonly rows: readonly string[];
  /** Where the cursor stands, both from 0. */
  readonly cursor: { readonly row: number; readonly column: number };
}

/**
 * The rows that some text takes on a terminal, with the cursor before the unit at an offset. Behind a row that is full, even the last one, a
 * new one begins, where the cursor can stand.
 */
export function layOutInput(pieces: readonly Piece[], cursor: number, columns: number): Layout {
  const rows = [''];
  let column = 0;
  let offset = 0;
  let place: Layout['cursor'] | undefined;
  const write = (text: string) => {
    rows[rows.length - 1] += text;
  };
  for (const { text, paint = plain } of pieces) {
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

function plain(text: string): string {
  return text;
}
