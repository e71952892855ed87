import type { TableOptions } from './csv-table.ts';

/** This much of a table shows how its numbers are written. */
const SAMPLE_CHARACTERS = 2 ** 16;

/** A number as a cell has it, and the decimal separator with which it is read. */
export interface NumberSpelling {
  readonly example: string;
  readonly decimal: NonNullable<TableOptions['decimal']>;
}

/** Matches cells that only are numbers with a decimal comma, such as `1,37`. Lists such as `1,2,3` are no numbers. */
const COMMA_DECIMAL = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/;

/** The same in a table with commas between its columns, in which `1,200` rather is a whole number. */
const QUOTED_COMMA_DECIMAL = /^-?(?:\d{1,3}(?:\.\d{3})+,\d+|\d+,\d{1,2})$/;

/** Matches cells that only are numbers with commas between their thousands, such as `1,200.50`. */
const COMMA_THOUSANDS = /^-?\d{1,3}(?:,\d{3})+\.\d+$/;

/** The same where the commas can be nothing else. */
const QUOTED_COMMA_THOUSANDS = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * Returns the first cell among the first rows of a table that is a number but not written as in JSON, so that it is read
 * as a string unless the decimal separator is given; undefined if there is none.
 */
export function findNumberSpelling(text: string, delimiter: string): NumberSpelling | undefined {
  const isComma = delimiter === ',';
  // The last line may be cut off.
  const lines = text
    .slice(0, SAMPLE_CHARACTERS)
    .split(/\r\n|\n|\r/)
    .slice(1);
  const cells = lines.flatMap((line) =>
    isComma ? Array.from(line.matchAll(/"([^"]*)"/g), ([, cell = '']) => cell) : line.split(delimiter).map(unquote),
  );
  for (const example of cells) {
    if ((isComma ? QUOTED_COMMA_DECIMAL : COMMA_DECIMAL).test(example)) return { example, decimal: ',' };
    if ((isComma ? QUOTED_COMMA_THOUSANDS : COMMA_THOUSANDS).test(example)) return { example, decimal: '.' };
  }
  return undefined;
}

function unquote(cell: string): string {
  return cell.startsWith('"') && cell.endsWith('"') ? cell.slice(1, -1) : cell;
}
