import { pluralize } from '../base/strings.ts';
import type { Properties } from '../lang/value.ts';
import type { CsvRow } from './csv-rows.ts';
import { type EventRecord, type RecordReading, toEventRecord } from './event-record.ts';
import { describeRepeatedName, type ReportProblem } from './problems.ts';

/** The decimal separators of numbers in CSV. */
export const DECIMALS = ['.', ','] as const;

type Decimal = (typeof DECIMALS)[number];

/** How to read CSV, if the user says so. */
export interface TableOptions {
  /** The names of the columns without a header row. */
  readonly columns?: readonly string[] | undefined;
  /** False without a header row, whose columns are `column1`, `column2` and so on unless they have names. */
  readonly header?: boolean | undefined;
  /**
   * The decimal separator of numbers. If it is set, the other separator may be between groups of three digits. Otherwise
   * numbers are written as in JSON.
   */
  readonly decimal?: Decimal | undefined;
}

/** Columns of names and ids, which stay strings even if they look like numbers. */
export const TEXT_COLUMNS: ReadonlySet<string> = new Set(['event', 'distinct_id', '$distinct_id', '$insert_id']);

/** Matches cells that are numbers. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Matches cells that are numbers with each decimal separator. */
const NUMBERS: Readonly<Record<Decimal, RegExp>> = {
  '.': /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  ',': /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?(?:[eE][+-]?\d+)?$/,
};

/**
 * Reads the rows of a CSV file as records. The first row is the header, unless the columns are named or numbered. Reports
 * rows that are broken or not as wide as the header. Reads nothing if the header is broken or repeats a name.
 */
export class CsvTable {
  /** The unchanged header row; undefined before it is read, and if there is none. */
  header: string | undefined;
  private names: readonly string[] | undefined;

  constructor(
    private readonly report: ReportProblem,
    private readonly options: TableOptions = {},
  ) {
    this.names = options.columns;
  }

  /** Reads the next rows. */
  read(rows: readonly CsvRow[]): RecordReading {
    const records: EventRecord[] = [];
    for (const { problem, ...row } of rows) {
      const { report } = this;
      const isHeader = this.names === undefined && this.options.header !== false;
      if (isHeader) {
        const flaw = problem === undefined ? describeRepeatedName(row.cells, 'columns') : `is broken: ${problem}`;
        if (flaw !== undefined) return { records, end: { line: row.line, problem: `the header row ${flaw}` } };
        this.header = row.text;
        this.names = row.cells;
        continue;
      }
      if (problem !== undefined) {
        if (row.last) return { records, end: { line: row.line, problem } };
        report(row.line, problem);
        continue;
      }
      this.names ??= row.cells.map((_, index) => `column${index + 1}`);
      if (row.cells.length !== this.names.length) {
        report(row.line, `${pluralize(row.cells.length, 'cell')} instead of ${this.names.length}`);
        continue;
      }
      const record = toEventRecord(this.toProperties(row.cells, this.names), () => row.text, row.line);
      if (record !== undefined) records.push(record);
    }
    return { records };
  }

  private toProperties(cells: readonly string[], names: readonly string[]): Properties {
    const entries: [string, unknown][] = [];
    for (const [index, name] of names.entries()) {
      const cell = cells[index] ?? '';
      if (cell !== '') entries.push([name, TEXT_COLUMNS.has(name) ? cell : parseCell(cell, this.options.decimal)]);
    }
    return Object.fromEntries(entries);
  }
}

/**
 * Reads a cell: a number or boolean if it is written as in JSON, but for the separators of numbers, else a string. A
 * number that is too large for a double is a string too, such as an id like `12e3456789`.
 */
export function parseCell(cell: string, decimal?: Decimal): string | number | boolean {
  if (cell === 'true') return true;
  if (cell === 'false') return false;
  if (!(decimal === undefined ? JSON_NUMBER : NUMBERS[decimal]).test(cell)) return cell;
  const value = Number(decimal === ',' ? cell.replaceAll('.', '').replace(',', '.') : cell.replaceAll(',', ''));
  return Number.isFinite(value) ? value : cell;
}
