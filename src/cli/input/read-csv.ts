import { CsvTable } from '../../data/csv-table.ts';
import type { EventBatch } from '../../data/event-record.ts';
import type { ReportProblem } from '../../data/problems.ts';
import { InputError } from './input-error.ts';
import { readCsvRows } from './read-csv-rows.ts';

/** Lower than for other records: what makes a row so long is a quote that was left open, and takes all the rest with it. */
const MAX_ROW_BYTES = 2 ** 24;

/**
 * The rows under the header row of a CSV file; those that are not as wide as it, or broken, are reported.
 *
 * @throws {InputError} for a header that is none, and where a quote is never closed, after the records before it.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  name: string,
  report: ReportProblem,
  limit = MAX_ROW_BYTES,
): AsyncGenerator<EventBatch> {
  const table = new CsvTable(report);
  for await (const rows of readCsvRows(chunks, limit)) {
    const { records, end } = table.read(rows);
    if (table.header !== undefined) yield { records, header: table.header };
    if (end !== undefined) throw new InputError(`${name}:${end.line}: ${end.problem}`);
  }
}
