import type { Dialect, DialectName } from '../../lang/engines/sql/dialect.ts';
import type { RunSql } from './probe-table.ts';

/** Settings that can change results, with the values that give exact results. */
const RIGHT_VALUES: Readonly<Record<DialectName, Readonly<Record<string, readonly string[]>>>> = {
  // https://duckdb.org/docs/stable/sql/expressions/collations
  DuckDB: { default_collation: [''] },
  // https://clickhouse.com/docs/operations/settings/formats
  ClickHouse: { precise_float_parsing: ['true', '1'] },
  // https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-EXTRA-FLOAT-DIGITS
  PostgreSQL: { extra_float_digits: ['1', '2', '3'] },
  // Strings are ordered by their bytes: https://www.sqlite.org/datatype3.html#collating_sequences
  SQLite: { encoding: ['UTF-8'] },
};

/** Returns the SQL expression that reads a setting of the connection. */
const READ: Readonly<Record<DialectName, (name: string) => string>> = {
  DuckDB: (name) => `current_setting('${name}')`,
  ClickHouse: (name) => `toString(getSetting('${name}'))`,
  PostgreSQL: (name) => `current_setting('${name}')`,
  SQLite: (name) => `(SELECT ${name} FROM pragma_${name})`,
};

/** Returns a sentence for each setting of the connection that makes results wrong. */
export async function findWrongSettings(run: RunSql, { name: dialect }: Dialect): Promise<string[]> {
  const hints: string[] = [];
  for (const [name, right] of Object.entries(RIGHT_VALUES[dialect])) {
    const [row] = await run(`SELECT ${READ[dialect](name)} AS value`, []);
    const value = String(row?.value);
    if (!right.includes(value)) hints.push(`The setting ${name} is '${value}'. Set it to '${right[0]}'.`);
  }
  return hints;
}
