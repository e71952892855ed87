import { pluralize } from '../base/strings.ts';
import type { Properties } from '../lang/value.ts';
import type { CsvRow } from './csv-rows.ts';
import { type EventRecord, type RecordReading, toEventRecord } from './event-record.ts';
import { describeRepeatedName, type ReportProblem } from './problems.ts';

interface Header {
  readonly text: string;
  readonly names: readonly string[];
}

/** Columns of names and ids, which stay strings even if they look like numbers. */
export const TEXT_COLUMNS: ReadonlySet<string> = new Set(['event', 'distinct_id', '$distinct_id', '$insert_id']);

/** Matches cells that are numbers. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads the rows of a CSV file as records. The first row is the header. Reports rows that are broken or not as wide as
 * the header. Reads nothing if the header is broken or repeats a name.
 */
export class CsvTable {
  private known: Header | undefined;

  constructor(private readonly report: ReportProblem) {}

  /** The unchanged header row; undefined before it is read. */
  get header(): string | undefined {
    return this.known?.text;
  }

  /** Reads the next rows. */
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
        report(row.line, `${pluralize(row.cells.length, 'cell')} instead of ${known.names.length}`);
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
    if (cell !== '') entries.push([name, TEXT_COLUMNS.has(name) ? cell : parseCell(cell)]);
  }
  return Object.fromEntries(entries);
}

/** Reads a cell: a number or boolean if it is written as in JSON, else a string. */
export function parseCell(cell: string): string | number | boolean {
  if (cell === 'true') return true;
  if (cell === 'false') return false;
  return JSON_NUMBER.test(cell) ? Number(cell) : cell;
}
