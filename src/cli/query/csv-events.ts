import { resolve } from 'node:path';
import { JSON_NUMBER, TEXT_COLUMNS } from '../../data/csv-table.ts';
import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { quoteFile, quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import type { StrictCsv } from './detect-strict-csv.ts';
import { createPropertyTable, type EventTable, type TableReading } from './event-table.ts';

/** Returns the table of a CSV file. Cells have the same types as when the file is read line by line. */
export function readCsvAsEvents(file: string, csv: StrictCsv, reading: TableReading): EventTable {
  const properties = csv.header.map((name, index) => {
    return { name, raw: cell(index), channels: lowerCell(cell(index), TEXT_COLUMNS.has(name)) };
  });
  return createPropertyTable(buildRelation(file, csv), properties, reading);
}

/**
 * Sets all options except the line ending: told that it is `\r\n`, DuckDB finds no rows. Disables parallel reading if
 * cells have line breaks, because a thread could start inside one. https://duckdb.org/docs/stable/data/csv/overview
 */
function buildRelation(file: string, { header, hasLineBreaks, isGzipped }: StrictCsv): string {
  const options = {
    columns: `{${header.map((_, index) => `'${index}': 'VARCHAR'`).join(', ')}}`,
    auto_detect: false,
    header: true,
    delim: `','`,
    quote: `'"'`,
    escape: `'"'`,
    comment: `''`,
    compression: isGzipped ? `'gzip'` : `'none'`,
    hive_partitioning: false,
    strict_mode: true,
    null_padding: false,
    ignore_errors: false,
    parallel: !hasLineBreaks,
  };
  const settings = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  return `read_csv(${[quoteFile(resolve(file)), ...settings].join(', ')})`;
}

function cell(index: number): string {
  return `"${index}"`;
}

/** Returns the SQL of a cell. DuckDB reads an empty one as NULL. */
function lowerCell(cell: string, isText: boolean): SqlChannels {
  if (isText) return { string: cell };
  // Strings mostly begin with a letter, which is cheaper to check than the pattern.
  const looksLikeNumber = `${cell} < ':' AND regexp_full_match(${cell}, ${quoteSqlString(JSON_NUMBER.source)})`;
  const isNumber = `(${looksLikeNumber} AND isfinite(TRY_CAST(${cell} AS DOUBLE)))`;
  return {
    number: `CASE WHEN ${isNumber} THEN TRY_CAST(${cell} AS DOUBLE) END`,
    string: `CASE WHEN ${cell} IN ('true', 'false') OR ${isNumber} THEN NULL ELSE ${cell} END`,
    boolean: `CASE ${cell} WHEN 'true' THEN true WHEN 'false' THEN false END`,
  };
}
