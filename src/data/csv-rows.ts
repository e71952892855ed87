import { decodeUtf8 } from '../lang/util/bytes.ts';
import { describeTooLong, NOT_UTF8 } from './problems.ts';

export interface CsvRow {
  /** Where the row begins; its cells can hold line breaks. */
  readonly line: number;
  /** The row as it stands in its file, without the line break after it. */
  readonly text: string;
  readonly cells: readonly string[];
  /** Why the cells are not to be trusted. */
  readonly problem: string | undefined;
  /** The file cannot be read any further. */
  readonly last?: true;
}

/** A row from the parser: bytes as Latin-1, so that those that are not UTF-8 are not lost before they can be reported. */
export interface ParsedRow {
  readonly raw: string;
  readonly record: readonly string[];
}

/** What the parser has to be told so that it answers parsed rows. */
export const PARSER_OPTIONS = {
  encoding: 'latin1' as const,
  record_delimiter: ['\r\n', '\n', '\r'],
  raw: true,
  // A row of another width than the first costs the parser an error, and blank lines are often many.
  skip_empty_lines: true,
  // Rows that break the rules are wanted too: their lines count. What is left to fail is a quote that is never closed.
  relax_column_count: true,
  relax_quotes: true,
};

const STRAY_QUOTE = 'a stray quote: a cell that holds quotes stands in quotes itself and has each of its own twice';

/** Makes what the parser answers the rows of a file: with their lines, and with what is wrong with them. */
export class CsvRows {
  private line = 1;

  /** The rows that come next. */
  next(parsed: readonly ParsedRow[]): CsvRow[] {
    return parsed.map(({ raw, record }) => {
      // What the parser skips before a row stands in its raw text: a character for each blank line.
      const blank = /^[\r\n]*/.exec(raw)?.[0].length ?? 0;
      const written = raw.slice(blank).replace(/[\r\n]$/, '');
      const line = this.line + blank;
      this.line = line + written.split(/\r\n|\r|\n/).length;
      return toRow(record, written, line);
    });
  }

  /** In place of a row that is longer than the limit. */
  endless(limit: number): CsvRow {
    return this.last(`${describeTooLong(limit)}, perhaps because a quote is never closed`);
  }

  /** In place of a row that the parser fails on. */
  unclosed(): CsvRow {
    return this.last('a quote is opened and never closed');
  }

  private last(problem: string): CsvRow {
    return { line: this.line, text: '', cells: [], problem, last: true };
  }
}

function toRow(record: readonly string[], written: string, line: number): CsvRow {
  const problem = isWellQuoted(written, record) ? undefined : STRAY_QUOTE;
  if (!/[\x80-\xff]/.test(written)) return { line, text: written, cells: record, problem };
  const text = fromLatin1(written);
  const cells = record.map((cell) => fromLatin1(cell) ?? '');
  return text === undefined ? { line, text: '', cells, problem: NOT_UTF8 } : { line, text, cells, problem };
}

function fromLatin1(text: string): string | undefined {
  return decodeUtf8(Uint8Array.from(text, (unit) => unit.charCodeAt(0)));
}

/** Whether the row is what writing its cells by the rules gives. */
function isWellQuoted(written: string, cells: readonly string[]): boolean {
  let at = 0;
  return cells.every((cell) => {
    const quoted = written[at] === '"';
    const expected = quoted ? `"${cell.replaceAll('"', '""')}"` : cell;
    const found = (quoted || !cell.includes('"')) && written.startsWith(expected, at);
    at += expected.length + 1;
    return found;
  });
}
