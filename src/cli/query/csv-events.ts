import { resolve } from 'node:path';
import { JSON_NUMBER, TEXT_COLUMNS } from '../../data/csv-table.ts';
import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { quoteFile, quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import type { StrictCsv } from './detect-strict-csv.ts';
import { createPropertyTable, type EventTable } from './event-table.ts';

/** The rows of a CSV file as events, each cell typed as where files are read. */
export function readCsvAsEvents(file: string, csv: StrictCsv): EventTable {
  const properties = csv.header.map(
    (name, index) => [name, channelsOfCell(cell(index), TEXT_COLUMNS.has(name))] as const,
  );
  return createPropertyTable(relationOf(file, csv), new Map(properties));
}

/**
 * Nothing is left to be guessed but how lines end: told that it is by `\r\n`, DuckDB finds no rows at all. Where line breaks stand in
 * cells, threads can begin in the middle of one. https://duckdb.org/docs/stable/data/csv/overview
 */
function relationOf(file: string, { header, hasLineBreaks, isGzipped }: StrictCsv): string {
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
  const given = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  return `read_csv(${[quoteFile(resolve(file)), ...given].join(', ')})`;
}

function cell(index: number): string {
  return `"${index}"`;
}

/** What is in a cell; DuckDB reads an empty one as NULL. */
function channelsOfCell(cell: string, isText: boolean): SqlChannels {
  if (isText) return { string: cell };
  // Texts mostly begin with a letter, which takes less to see.
  const isNumber = `(${cell} < ':' AND regexp_full_match(${cell}, ${quoteSqlString(JSON_NUMBER.source)}))`;
  return {
    number: `CASE WHEN ${isNumber} THEN TRY_CAST(${cell} AS DOUBLE) END`,
    string: `CASE WHEN NOT (${cell} IN ('true', 'false') OR ${isNumber}) THEN ${cell} END`,
    boolean: `CASE ${cell} WHEN 'true' THEN true WHEN 'false' THEN false END`,
  };
}
