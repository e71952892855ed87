import { isUtf8 } from 'node:buffer';
import { CsvError, type Parser, parse } from 'csv-parse';
import { NOT_UTF8, tooLong } from './problems.ts';
import { through } from './through.ts';

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
interface ParsedRow {
  readonly raw: string;
  readonly record: readonly string[];
}

const STRAY_QUOTE = 'a stray quote: a cell that holds quotes stands in quotes itself and has each of its own twice';

/** The rows of a CSV file (RFC 4180), a group for every chunk, without blank lines. */
export async function* csvRows(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<CsvRow[]> {
  const parsed: ParsedRow[] = [];
  let line = 1;
  let sizeWithoutRow = 0;
  async function* measured() {
    for await (const chunk of chunks) {
      sizeWithoutRow += chunk.length;
      yield chunk;
    }
  }
  try {
    for await (const group of through(measured(), parser(parsed), parsed)) {
      if (group.length > 0) sizeWithoutRow = 0;
      if (sizeWithoutRow > limit) {
        yield [endless(line, `${tooLong(limit)}, perhaps because a quote is never closed`)];
        return;
      }
      const rows: CsvRow[] = [];
      for (const row of group) {
        // What the parser skips before a row stands in its raw text: a character for each blank line.
        const blank = /^[\r\n]*/.exec(row.raw)?.[0].length ?? 0;
        const written = row.raw.slice(blank).replace(/[\r\n]$/, '');
        line += blank;
        rows.push(toRow(row, written, line));
        line += written.split(/\r\n|\r|\n/).length;
      }
      yield rows;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield [endless(line, 'a quote is opened and never closed')];
  }
}

function parser(parsed: ParsedRow[]): Parser {
  return parse({
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n', '\r'],
    raw: true,
    // A row of another width than the first costs the parser an error, and blank lines are often many.
    skip_empty_lines: true,
    // Rows that break the rules are wanted too: their lines count. What is left to fail is a quote that is never closed.
    relax_column_count: true,
    relax_quotes: true,
    on_record: (row: unknown) => {
      parsed.push(row as ParsedRow);
      return null;
    },
  });
}

function endless(line: number, problem: string): CsvRow {
  return { line, text: '', cells: [], problem, last: true };
}

function toRow({ record }: ParsedRow, written: string, line: number): CsvRow {
  const problem = isWellQuoted(written, record) ? undefined : STRAY_QUOTE;
  if (!/[\x80-\xff]/.test(written)) return { line, text: written, cells: record, problem };
  const bytes = Buffer.from(written, 'latin1');
  return {
    line,
    text: bytes.toString(),
    cells: record.map((cell) => Buffer.from(cell, 'latin1').toString()),
    problem: isUtf8(bytes) ? problem : NOT_UTF8,
  };
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
