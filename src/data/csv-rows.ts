import { decodeUtf8 } from '../base/bytes.ts';
import { describeTooLong, NOT_UTF8 } from './problems.ts';

export interface CsvRow {
  /** The line where the row begins. Cells can contain line breaks. */
  readonly line: number;
  /** The unchanged row without its line break. */
  readonly text: string;
  readonly cells: readonly string[];
  /** The reason why the cells are invalid. */
  readonly problem: string | undefined;
  /** The rest of the file cannot be read. */
  readonly last?: true;
}

/** A row from the parser. Bytes are Latin-1 characters, so that invalid UTF-8 can still be reported. */
export interface ParsedRow {
  readonly raw: string;
  readonly record: readonly string[];
}

/** The options with which the parser returns {@link ParsedRow}s. */
export const PARSER_OPTIONS = {
  encoding: 'latin1' as const,
  record_delimiter: ['\r\n', '\n', '\r'],
  raw: true,
  // Otherwise each blank line is a slow error about the width of the row, and files can have many.
  skip_empty_lines: true,
  // Accepts rows that break the rules, to keep counting lines. Only an unclosed quote still fails.
  relax_column_count: true,
  relax_quotes: true,
};

const STRAY_QUOTE = 'a stray quote: put a cell that contains quotes in quotes, and double each quote in it';

/** Adds line numbers and problems to the rows of the parser. */
export class CsvRows {
  private line = 1;

  /** Converts the next rows. */
  next(parsed: readonly ParsedRow[]): CsvRow[] {
    return parsed.map(({ raw, record }) => {
      // The raw text of a row begins with the blank lines before it, one character for each.
      const blank = /^[\r\n]*/.exec(raw)?.[0].length ?? 0;
      const row = raw.slice(blank).replace(/[\r\n]$/, '');
      const line = this.line + blank;
      this.line = line + row.split(/\r\n|\r|\n/).length;
      return toRow(record, row, line);
    });
  }

  /** Returns a last row with the problem of a row over the limit. */
  endless(limit: number): CsvRow {
    return this.createLastRow(`${describeTooLong(limit)}, perhaps because of an unclosed quote`);
  }

  /** Returns a last row with the problem of an unclosed quote. */
  unclosed(): CsvRow {
    return this.createLastRow('an unclosed quote');
  }

  private createLastRow(problem: string): CsvRow {
    return { line: this.line, text: '', cells: [], problem, last: true };
  }
}

function toRow(record: readonly string[], raw: string, line: number): CsvRow {
  const problem = isWellQuoted(raw, record) ? undefined : STRAY_QUOTE;
  if (!/[\x80-\xff]/.test(raw)) return { line, text: raw, cells: record, problem };
  const text = toUtf8(raw);
  const cells = record.map((cell) => toUtf8(cell) ?? '');
  return text === undefined ? { line, text: '', cells, problem: NOT_UTF8 } : { line, text, cells, problem };
}

function toUtf8(text: string): string | undefined {
  return decodeUtf8(Uint8Array.from(text, (unit) => unit.charCodeAt(0)));
}

/** Returns whether writing the cells by the rules gives this row. */
function isWellQuoted(raw: string, cells: readonly string[]): boolean {
  let at = 0;
  return cells.every((cell) => {
    const quoted = raw[at] === '"';
    const expected = quoted ? `"${cell.replaceAll('"', '""')}"` : cell;
    const found = (quoted || !cell.includes('"')) && raw.startsWith(expected, at);
    at += expected.length + 1;
    return found;
  });
}
