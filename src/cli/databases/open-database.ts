import { UsageError } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { detectDatabase } from '../query/detect-database.ts';
import type { SqlConnection } from './database.ts';
import { openClickhouse } from './open-clickhouse.ts';
import { openDuckdb } from './open-duckdb.ts';
import { openPostgresql } from './open-postgresql.ts';
import { isSqliteFile, openSqlite } from './open-sqlite.ts';

const IN_MEMORY = ['duckdb', ':memory:'];

/**
 * Opens a database for reading: a file of DuckDB or SQLite, the installed DuckDB (`duckdb` or `:memory:`) or SQLite
 * (`sqlite`), or the URL of a ClickHouse server (`http://…`, `https://…`) or a PostgreSQL server (`postgres://…`).
 *
 * @throws {UsageError} if the driver is not installed or the name is none of these.
 * @throws {InputError} if the database cannot be opened.
 */
export async function openDatabase(name: string, env: Io['env']): Promise<SqlConnection> {
  if (/^https?:\/\//i.test(name)) return openClickhouse(name, env.CLICKHOUSE_PASSWORD);
  if (/^postgres(ql)?:\/\//i.test(name)) return openPostgresql(name);
  if (IN_MEMORY.includes(name)) return openDuckdb(undefined);
  if (name === 'sqlite') return openSqlite(undefined);
  if (/^\w+:\/\//.test(name))
    throw new UsageError('Pass a file of DuckDB or SQLite, or a URL that begins with http, https or postgres');
  if ((await detectDatabase(name)) === 'duckdb') return openDuckdb(name);
  if (await isSqliteFile(name)) return openSqlite(name);
  throw new InputError(`${name} is not a DuckDB file or a SQLite file`);
}
