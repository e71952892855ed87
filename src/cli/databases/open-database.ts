import { UsageError } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { detectDatabase } from '../query/detect-database.ts';
import type { SqlConnection } from './database.ts';
import { openClickhouse } from './open-clickhouse.ts';
import { openDuckdb } from './open-duckdb.ts';
import { openPostgresql } from './open-postgresql.ts';

const IN_MEMORY = ['duckdb', ':memory:'];

/**
 * Opens a database for reading: a `.duckdb` file, the installed DuckDB (`duckdb` or `:memory:`), or the URL of a
 * ClickHouse server (`http://…`, `https://…`) or a PostgreSQL server (`postgres://…`).
 *
 * @throws {UsageError} if the driver is not installed or the name is none of these.
 * @throws {InputError} if the database cannot be opened.
 */
export async function openDatabase(name: string, env: Io['env']): Promise<SqlConnection> {
  if (/^https?:\/\//i.test(name)) return openClickhouse(name, env.CLICKHOUSE_PASSWORD);
  if (/^postgres(ql)?:\/\//i.test(name)) return openPostgresql(name);
  if (IN_MEMORY.includes(name)) return openDuckdb(undefined);
  if (/^\w+:\/\//.test(name))
    throw new UsageError('Pass a .duckdb file, or a URL that begins with http, https or postgres');
  if ((await detectDatabase(name)) !== 'duckdb') throw new InputError(`${name} is not a DuckDB file`);
  return openDuckdb(name);
}
