import { CsvTable, type TableOptions } from '../../data/csv-table.ts';
import type { EventBatch } from '../../data/event-record.ts';
import type { ReportProblem } from '../../data/problems.ts';
import { adviseEncoding, InputError } from './input-error.ts';
import { readCsvRows } from './read-csv-rows.ts';

/** Lower than for other records, because a row this long is usually an unclosed quote that swallows the rest. */
const MAX_ROW_BYTES = 2 ** 24;

interface CsvOptions extends TableOptions {
  readonly delimiter?: string | undefined;
  /** The longest row in bytes. */
  readonly limit?: number;
}

/**
 * Reads the rows of a CSV file as records. Reports rows that are broken or not as wide as the header.
 *
 * @throws {InputError} if the header is invalid, or after yielding the records before a quote that is never closed.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  name: string,
  report: ReportProblem,
  { delimiter, limit = MAX_ROW_BYTES, ...options }: CsvOptions = {},
): AsyncGenerator<EventBatch> {
  const table = new CsvTable(report, options);
  for await (const rows of readCsvRows(chunks, limit, delimiter)) {
    const { records, end } = table.read(rows);
    if (table.header !== undefined) yield { records, header: table.header };
    else if (records.length > 0) yield { records };
    if (end !== undefined) throw new InputError(`${name}:${end.line}: ${adviseEncoding(end.problem)}`);
  }
}
