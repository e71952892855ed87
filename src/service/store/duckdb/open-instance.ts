import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as DuckDB from '@duckdb/node-api';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import { loadDuckdb } from './load-duckdb.ts';
import { quoteSqlString, quoteWildcards } from './quote-sql.ts';

/** The files and folders that DuckDB can open. */
interface Confinement {
  /** Absolute paths of files, which can be attached too. */
  readonly files?: readonly string[];
  readonly folders?: readonly string[];
}

export interface InstanceOptions {
  /** The memory limit of all statements together, in DuckDB's notation: `"2GB"`. Default: 80 % of the memory. */
  readonly memoryLimit?: string | undefined;
  /**
   * The folder for data that does not fit into memory, which DuckDB creates when it needs it. Two instances must not
   * share it. Default: a new one.
   */
  readonly temporaryFolder?: string;
  /** Limits what statements can open, apart from the temporary folder, and locks all settings. Default: all files. */
  readonly only?: Confinement | undefined;
}

/**
 * Opens an empty DuckDB in this process. It never loads extensions: JSON and Parquet are built in.
 *
 * @throws {MissingDuckdbError} if DuckDB is not installed.
 */
export async function openInstance({
  memoryLimit,
  temporaryFolder = join(tmpdir(), `onwhere-${randomUUID()}`),
  only,
}: InstanceOptions): Promise<DuckDB.DuckDBInstance> {
  const instance = await loadDuckdb().DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    temp_directory: temporaryFolder,
    // An expression has up to 256 levels, each with up to four levels of SQL if properties are read from JSON. The
    // default is 1,000.
    max_expression_depth: '4000',
    // Top-N queries up to this N read the other columns only for the rows they return. The longest result is a page of
    // people.
    late_materialization_max_rows: '1000',
    ...(memoryLimit !== undefined && { memory_limit: memoryLimit }),
  });
  if (only === undefined) return instance;
  const connection = await instance.connect();
  for (const statement of confineTo(only)) await connection.run(statement);
  connection.closeSync();
  return instance;
}

/** Returns the types of parameters. All numbers are doubles, also whole ones. */
export function getParameterTypes(parameters: readonly SqlValue[]): DuckDB.DuckDBType[] {
  const { BOOLEAN, DOUBLE, VARCHAR } = loadDuckdb();
  const types = { boolean: BOOLEAN, number: DOUBLE, string: VARCHAR };
  return parameters.map((value) => types[typeof value as keyof typeof types]);
}

/**
 * Returns statements that confine later statements to files and folders. They must be allowed before access is
 * disabled, and no setting can change once they are locked:
 * https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview
 */
function confineTo({ files = [], folders = [] }: Confinement): readonly string[] {
  // DuckDB also checks the pattern that names a file, and opens the write-ahead log of an attached one.
  const paths = new Set(files.flatMap((file) => [file, quoteWildcards(file), `${file}.wal`]));
  const list = (names: Iterable<string>) => `[${[...names].map(quoteSqlString).join(', ')}]`;
  return [
    `SET GLOBAL allowed_paths = ${list(paths)}`,
    `SET GLOBAL allowed_directories = ${list(folders)}`,
    'SET GLOBAL enable_external_access = false',
    'SET GLOBAL lock_configuration = true',
  ];
}
