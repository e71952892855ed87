import { CsvError, type Parser, parse } from 'csv-parse';
import { type CsvRow, CsvRows, PARSER_OPTIONS, type ParsedRow } from '../../data/csv-rows.ts';
import { pipeThrough } from './chunks.ts';

/** Reads the rows of a CSV file (RFC 4180), one group per chunk, without blank lines. */
export async function* readCsvRows(
  chunks: AsyncIterable<Buffer>,
  limit: number,
  delimiter = ',',
): AsyncGenerator<CsvRow[]> {
  const parsed: ParsedRow[] = [];
  const rows = new CsvRows();
  let sizeWithoutRow = 0;
  async function* measure() {
    for await (const chunk of chunks) {
      sizeWithoutRow += chunk.length;
      yield chunk;
    }
  }
  try {
    for await (const group of pipeThrough(measure(), createParser(parsed, delimiter), parsed)) {
      if (group.length > 0) sizeWithoutRow = 0;
      if (sizeWithoutRow > limit) {
        yield [rows.endless(limit)];
        return;
      }
      yield rows.next(group);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield [rows.unclosed()];
  }
}

function createParser(parsed: ParsedRow[], delimiter: string): Parser {
  return parse({
    ...PARSER_OPTIONS,
    delimiter,
    on_record: (row: unknown) => {
      parsed.push(row as ParsedRow);
      return null;
    },
  });
}
