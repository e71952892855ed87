import type { Dialect, DialectName } from '../../../lang/engines/sql/dialect.ts';

/** SQL functions that differ between databases. Arguments are whole numbers and never NULL unless noted. */
export interface SqlFunctions {
  /** The prefix of a named subquery that is computed wherever it is used. */
  readonly inlined: string;
  /** Divides a non-negative number by a trusted divisor and rounds down. */
  quotient(dividend: string, divisor: number): string;
  /** The number of months from January 1970 to a local time in seconds. */
  month(seconds: string): string;
  /** The sum of doubles with compensated rounding. */
  sum(numbers: string): string;
  /** Concatenates two arrays. */
  concat(one: string, other: string): string;
  /** Sorts an array of strings by code point. */
  sorted(array: string): string;
  /** Collects the values of rows into an array, in any order. */
  gathered(values: string): string;
  /** A row for each number in a string, separated by spaces. */
  numbersIn(text: string): string;
  /** A row for each property name of a JSON object. */
  namesOf(json: string): string;
  /**
   * The bytes of the longest string in a column, or more, for a SELECT that counts rows of this table. NULL if they are
   * not known.
   */
  longest(column: string, table: string): string;
}

const FUNCTIONS: Readonly<Record<DialectName, SqlFunctions | undefined>> = {
  DuckDB: {
    // DuckDB would materialize a subquery that is used twice: https://duckdb.org/docs/stable/sql/query_syntax/with
    inlined: 'NOT MATERIALIZED ',
    quotient: (dividend, divisor) => `(${dividend}) // ${divisor}`,
    month: (seconds) => `datediff('month', DATE '1970-01-01', DATE '1970-01-01' + ((${seconds}) // 86400)::INTEGER)`,
    sum: (numbers) => `fsum(${numbers})`,
    concat: (one, other) => `list_concat(${one}, ${other})`,
    sorted: (array) => `list_sort(${array})`,
    gathered: (values) => `list(${values})`,
    numbersIn: (text) => `unnest(CAST(string_split(${text}, ' ') AS DOUBLE[]))`,
    namesOf: (json) => `unnest(json_keys(${json}))`,
    // DuckDB keeps the length with the statistics of a column, and reading all strings takes 100 times as long:
    // https://duckdb.org/docs/stable/sql/functions/utility
    longest: (column, table) =>
      `(SELECT TRY_CAST(regexp_extract(stats(${column}), 'Max String Length: ([0-9]+)', 1) AS BIGINT) FROM ${table} LIMIT 1)`,
  },
  ClickHouse: {
    inlined: '',
    quotient: (dividend, divisor) => `intDiv(${dividend}, ${divisor})`,
    month: (seconds) => `dateDiff('month', toDate32('1970-01-01'), toDate32('1970-01-01') + intDiv(${seconds}, 86400))`,
    sum: (numbers) => `sumKahan(${numbers})`,
    concat: (one, other) => `arrayConcat(${one}, ${other})`,
    sorted: (array) => `arraySort(${array})`,
    gathered: (values) => `groupArray(${values})`,
    numbersIn: (text) => `toFloat64(arrayJoin(splitByChar(' ', ${text})))`,
    // The parser rejects an object with a number that is too large.
    namesOf: (json) => `arrayJoin(JSONExtractKeys(if(isValidJSON(${json}), ${json}, onwhere_readable(${json}))))`,
    longest: (column) => `max(length(${column}))`,
  },
  PostgreSQL: undefined,
  SQLite: undefined,
};

/**
 * Returns the functions of a database that can be a store.
 *
 * @throws {Error} for any other database
 */
export function getSqlFunctions(dialect: Dialect): SqlFunctions {
  const functions = FUNCTIONS[dialect.name];
  if (functions === undefined) throw new Error(`No store uses ${dialect.name}.`);
  return functions;
}
