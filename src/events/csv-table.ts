import type { Properties } from '../language/value.ts';
import type { CsvRow } from './csv-rows.ts';
import { type EventRecord, type Reading, toEventRecord } from './event-record.ts';
import type { Report } from './problems.ts';

interface Header {
  readonly text: string;
  readonly width: number;
  readonly columns: ReadonlyMap<string, number>;
}

/** Columns that hold names, even where these look like numbers. */
export const TEXT_COLUMNS: ReadonlySet<string> = new Set(['event', 'distinct_id', '$distinct_id', '$insert_id']);

/** The cells that are numbers. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads the rows of a CSV file as records: the first is the header row, and those that are not as wide as it, or broken, are reported. */
export class CsvTable {
  private known: Header | undefined;

  constructor(private readonly report: Report) {}

  /** The header row as it stands in the file; undefined as long as there is none. */
  get header(): string | undefined {
    return this.known?.text;
  }

  /** Reads the rows that come next. */
  read(rows: readonly CsvRow[]): Reading {
    const records: EventRecord[] = [];
    for (const { problem, ...row } of rows) {
      const { known, report } = this;
      if (known === undefined) {
        if (problem !== undefined) {
          return { records, end: { line: row.line, problem: `the header row is broken: ${problem}` } };
        }
        this.known = toHeader(row);
      } else if (problem !== undefined) {
        if (row.last) return { records, end: { line: row.line, problem } };
        report(row.line, problem);
      } else if (row.cells.length !== known.width) {
        report(row.line, `${row.cells.length} instead of ${known.width} cells`);
      } else {
        const record = toEventRecord(toProperties(row.cells, known), () => row.text, row.line);
        if (record !== undefined) records.push(record);
      }
    }
    return { records };
  }
}

function toHeader({ text, cells }: Pick<CsvRow, 'text' | 'cells'>): Header {
  return { text, width: cells.length, columns: columnsOf(cells) };
}

/** Where each column of a header row stands, the last one of a name. */
export function columnsOf(header: readonly string[]): ReadonlyMap<string, number> {
  return new Map(header.map((name, index) => [name, index]));
}

function toProperties(cells: readonly string[], { columns }: Header): Properties {
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
