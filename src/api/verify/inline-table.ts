import type { Dialect, DialectName } from '../../lang/engines/sql/dialect.ts';
import { sqlite } from '../../lang/engines/sql/dialects/sqlite.ts';
import { parseDecimalText } from '../../lang/engines/sql/dialects/sqlite-numbers.ts';

/** The column types of an inline table. Each database has its own name for them. */
export type CellType = 'integer' | 'double' | 'text' | 'boolean' | 'json' | 'map';

export interface InlineColumn {
  readonly name: string;
  readonly type: CellType;
}

/** A cell as a string, or null. Numbers and booleans are written as literals, JSON and maps as JSON. */
export type Cell = string | null;

/** Turns the first parameter of a statement, the rows as JSON, into a table. */
interface Unpacking {
  /** Returns the `FROM` clause: one row for each array of cells. */
  from(placeholder: string): string;
  /** Returns the expression for the cell with this zero-based index. */
  cell(index: number): string;
  readonly types: Readonly<Record<CellType, (cell: string) => string>>;
}

const UNPACKING: Readonly<Record<DialectName, Unpacking>> = {
  DuckDB: {
    from: (rows) => `(SELECT unnest(from_json(${rows}, '[["VARCHAR"]]')) AS cells)`,
    cell: (index) => `cells[${index + 1}]`,
    types: {
      integer: (cell) => `CAST(${cell} AS INTEGER)`,
      double: (cell) => `CAST(${cell} AS DOUBLE)`,
      text: (cell) => cell,
      boolean: (cell) => `CAST(${cell} AS BOOLEAN)`,
      json: (cell) => `CAST(${cell} AS JSON)`,
      map: (cell) => `map_from_entries(from_json(${cell}, '[{"k":"VARCHAR","v":"VARCHAR"}]'))`,
    },
  },
  ClickHouse: {
    from: (rows) => `(SELECT arrayJoin(JSONExtract(${rows}, 'Array(Array(Nullable(String)))')) AS cells)`,
    cell: (index) => `cells[${index + 1}]`,
    types: {
      integer: (cell) => `toUInt32(assumeNotNull(${cell}))`,
      double: (cell) => `toFloat64OrNull(${cell})`,
      text: (cell) => cell,
      boolean: (cell) => `CAST(${cell} AS Nullable(Bool))`,
      json: (cell) => cell,
      map: (cell) =>
        `CAST(JSONExtract(assumeNotNull(${cell}), 'Array(Tuple(k String, v String))') AS Map(String, String))`,
    },
  },
  PostgreSQL: {
    from: (rows) => `jsonb_array_elements(${rows}::jsonb) AS rows (cells)`,
    cell: (index) => `cells ->> ${index}`,
    types: {
      integer: (cell) => `(${cell})::integer`,
      double: (cell) => `(${cell})::float8`,
      text: (cell) => `(${cell})`,
      boolean: (cell) => `(${cell})::boolean`,
      json: (cell) => `(${cell})::jsonb`,
      map: () => {
        throw new TypeError('PostgreSQL has no maps');
      },
    },
  },
  SQLite: {
    // Without the fence, each use of a column would read its cell again.
    from: (rows) => `json_each(${rows})${sqlite.fence}`,
    cell: (index) => `json_extract(value, '$[${index}]')`,
    types: {
      integer: (cell) => `CAST(${cell} AS INTEGER)`,
      // A cast is inexact in some versions, and does not know infinity.
      double: (cell) =>
        `CASE ${cell} WHEN 'Infinity' THEN 9e999 WHEN '-Infinity' THEN -9e999 WHEN 'NaN' THEN NULL ELSE ${parseDecimalText(cell)} END`,
      text: (cell) => cell,
      boolean: (cell) => `CASE ${cell} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`,
      json: (cell) => cell,
      map: () => {
        throw new TypeError('SQLite has no maps');
      },
    },
  },
};

/**
 * Returns `WITH "name" AS (…)`, which defines a table inside a statement. Its rows are the first parameter: arrays of
 * cells as JSON.
 */
export function withInlineTable(dialect: Dialect, name: string, columns: readonly InlineColumn[]): string {
  const { from, cell, types } = UNPACKING[dialect.name];
  const selected = columns.map(
    (column, index) => `${types[column.type](cell(index))} AS ${dialect.quoteName(column.name)}`,
  );
  return `WITH ${dialect.quoteName(name)} AS (SELECT ${selected.join(', ')} FROM ${from(dialect.placeholder(1, ''))})`;
}

/** Returns whether the database can store all strings of a record: PostgreSQL refuses U+0000. */
export function canHold(dialect: Dialect, record: unknown): boolean {
  return dialect.name !== 'PostgreSQL' || !JSON.stringify(record).includes('\\u0000');
}
