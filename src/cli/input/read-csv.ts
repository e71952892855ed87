import type { Properties } from '../../language/value.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { type EventBatch, type EventRecord, toEventRecord } from './event-record.ts';
import { InputError } from './input-error.ts';
import type { Report } from './problems.ts';

/** Lower than for other records: what makes a row so long is a quote that was left open, and takes all the rest with it. */
const MAX_ROW_BYTES = 2 ** 24;

interface Header {
  readonly text: string;
  readonly width: number;
  /** Where each column stands, the last one of a name. */
  readonly columns: ReadonlyMap<string, number>;
}

/** Columns that hold names, even where these look like numbers. */
const TEXT_COLUMNS: ReadonlySet<string> = new Set(['event', 'distinct_id', '$distinct_id', '$insert_id']);

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The rows under the header row of a CSV file; those that are not as wide as it, or broken, are reported.
 *
 * @throws {InputError} for a header that is none, and where a quote is never closed, after the records before it.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  name: string,
  report: Report,
  limit = MAX_ROW_BYTES,
): AsyncGenerator<EventBatch> {
  let header: Header | undefined;
  for await (const rows of csvRows(chunks, limit)) {
    const records: EventRecord[] = [];
    const end = rows.find(({ last }) => last);
    for (const row of rows) {
      if (row === end && header !== undefined) break;
      if (header === undefined) {
        header = toHeader(row, name);
        continue;
      }
      const problem = row.problem ?? widthProblem(row, header);
      const record = toEventRecord(toProperties(row, header), () => row.text, row.line);
      if (problem !== undefined) report(row.line, problem);
      else if (record !== undefined) records.push(record);
    }
    if (header !== undefined) yield { records, header: header.text };
    if (end !== undefined) throw new InputError(`${name}:${end.line}: ${end.problem}`);
  }
}

function toHeader({ text, cells, problem }: CsvRow, name: string): Header {
  if (problem !== undefined) throw new InputError(`${name}: the header row is broken: ${problem}`);
  return { text, width: cells.length, columns: new Map(cells.map((cell, index) => [cell, index])) };
}

function widthProblem({ cells }: CsvRow, { width }: Header): string | undefined {
  return cells.length === width ? undefined : `${cells.length} instead of ${width} cells`;
}

function toProperties({ cells }: CsvRow, { columns }: Header): Properties {
  const entries: [string, unknown][] = [];
  for (const [name, index] of columns) {
    const cell = cells[index] ?? '';
    if (cell !== '') entries.push([name, TEXT_COLUMNS.has(name) ? cell : typed(cell)]);
  }
  return Object.fromEntries(entries);
}

function typed(cell: string): string | number | boolean {
  if (cell === 'true') return true;
  if (cell === 'false') return false;
  return JSON_NUMBER.test(cell) ? Number(cell) : cell;
}
