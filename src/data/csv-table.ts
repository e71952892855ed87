import type { Properties } from '../lang/value.ts';
import type { CsvRow } from './csv-rows.ts';
import { type EventRecord, type RecordReading, toEventRecord } from './event-record.ts';
import { describeRepeatedName, type ReportProblem } from './problems.ts';

interface Header {
  readonly text: string;
  readonly names: readonly string[];
}

/** Columns that hold names, even where these look like numbers. */
export const TEXT_COLUMNS: ReadonlySet<string> = new Set(['event', 'distinct_id', '$distinct_id', '$insert_id']);

/** The cells that are numbers. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads the rows of a CSV file as records: the first is the header row, and those that are not as wide as it, or broken, are reported.
 * Nothing is read under a header row that is broken or has a name twice.
 */
export class CsvTable {
  private known: Header | undefined;

  constructor(private readonly report: ReportProblem) {}

  /** The header row as it stands in the file; undefined as long as there is none. */
  get header(): string | undefined {
    return this.known?.text;
  }

  /** Reads the rows that come next. */
  read(rows: readonly CsvRow[]): RecordReading {
    const records: EventRecord[] = [];
    for (const { problem, ...row } of rows) {
      const { known, report } = this;
      if (known === undefined) {
        const flaw = problem === undefined ? describeRepeatedName(row.cells, 'columns') : `is broken: ${problem}`;
        if (flaw !== undefined) return { records, end: { line: row.line, problem: `the header row ${flaw}` } };
        this.known = { text: row.text, names: row.cells };
      } else if (problem !== undefined) {
        if (row.last) return { records, end: { line: row.line, problem } };
        report(row.line, problem);
      } else if (row.cells.length !== known.names.length) {
        report(row.line, `${row.cells.length} instead of ${known.names.length} cells`);
      } else {
        const record = toEventRecord(toProperties(row.cells, known), () => row.text, row.line);
        if (record !== undefined) records.push(record);
      }
    }
    return { records };
  }
}

function toProperties(cells: readonly string[], { names }: Header): Properties {
  const entries: [string, unknown][] = [];
  for (const [index, name] of names.entries()) {
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
