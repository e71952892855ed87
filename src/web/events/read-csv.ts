import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { type CsvRow, CsvRows, PARSER_OPTIONS, type ParsedRow } from '../../data/csv-rows.ts';
import { CsvTable, type TableOptions } from '../../data/csv-table.ts';
import type { RecordReading } from '../../data/event-record.ts';
import type { ReportProblem } from '../../data/problems.ts';

const ROWS_PER_BATCH = 5000;

/** Reads the records of a CSV file. In a browser, the parser needs the whole file at once. */
export function* readCsvBlob(
  bytes: Uint8Array,
  delimiter: string | undefined,
  report: ReportProblem,
  options: TableOptions,
): Generator<RecordReading> {
  const { parsed, isComplete } = parseRows(bytes, delimiter ?? ',');
  const table = new CsvTable(report, options);
  const rows = new CsvRows();
  while (parsed.length > 0) yield table.read(rows.next(parsed.splice(0, ROWS_PER_BATCH)));
  const last: CsvRow[] = isComplete ? [] : [rows.unclosed()];
  yield table.read(last);
}

/** Parses all rows, or those before a quote that is never closed. */
function parseRows(bytes: Uint8Array, delimiter: string): { parsed: ParsedRow[]; isComplete: boolean } {
  const parsed: ParsedRow[] = [];
  const take = (row: unknown) => {
    parsed.push(row as ParsedRow);
    return null;
  };
  try {
    parse(bytes, { ...PARSER_OPTIONS, delimiter, on_record: take });
    return { parsed, isComplete: true };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { parsed, isComplete: false };
  }
}
