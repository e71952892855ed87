import type { Dialect, DialectName } from '../../lang/engines/sql/dialect.ts';

/** What queries ask of databases that each writes in its own way. All are of whole numbers and never NULL. */
export interface SqlFunctions {
  /** What stands before a subselect with a name that is worked out wherever it is named. */
  readonly inlined: string;
  /** How often the divisor, a number of ours, goes into a number that is not negative. */
  quotient(dividend: string, divisor: number): string;
  /** How many months there are from January 1970 to a local time, in seconds. */
  month(seconds: string): string;
  /** The sum of doubles, with what rounding takes away put back. */
  sum(numbers: string): string;
  /** One array after the other. */
  concat(one: string, other: string): string;
  /** An array of texts in the order of their code points. */
  sorted(array: string): string;
  /** An array of what some rows have, in any order. */
  gathered(values: string): string;
  /** A row for each number in a text, in which they are apart by a blank. */
  numbersIn(text: string): string;
  /** A row for each name of a property of a JSON object. */
  namesOf(json: string): string;
}

const FUNCTIONS: Readonly<Record<DialectName, SqlFunctions | undefined>> = {
  DuckDB: {
    // It would keep what is named twice: https://duckdb.org/docs/stable/sql/query_syntax/with
    inlined: 'NOT MATERIALIZED ',
    quotient: (dividend, divisor) => `(${dividend}) // ${divisor}`,
    month: (seconds) => `datediff('month', DATE '1970-01-01', DATE '1970-01-01' + ((${seconds}) // 86400)::INTEGER)`,
    sum: (numbers) => `fsum(${numbers})`,
    concat: (one, other) => `list_concat(${one}, ${other})`,
    sorted: (array) => `list_sort(${array})`,
    gathered: (values) => `list(${values})`,
    numbersIn: (text) => `unnest(CAST(string_split(${text}, ' ') AS DOUBLE[]))`,
    namesOf: (json) => `unnest(json_keys(${json}))`,
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
    // An object with a number that is too large for the parser is nothing to it.
    namesOf: (json) => `arrayJoin(JSONExtractKeys(if(isValidJSON(${json}), ${json}, onwhere_readable(${json}))))`,
  },
  PostgreSQL: undefined,
};

/** The functions of a database that stores are in. */
export function getSqlFunctions(dialect: Dialect): SqlFunctions {
  const functions = FUNCTIONS[dialect.name];
  if (functions === undefined) throw new Error(`${dialect.name} is no database of stores.`);
  return functions;
}
