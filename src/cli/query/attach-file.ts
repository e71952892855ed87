import { resolve } from 'node:path';
import { duckdb } from '../../lang/engines/sql/dialects/duckdb.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import { UsageError } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { FileDatabase } from './file-database.ts';

/** The name of an attached file in SQL. */
export const ATTACHED = 'attached';

/**
 * Attaches a .duckdb file and returns the SQL of the table to read.
 *
 * @throws {InputError} if it has no tables.
 * @throws {UsageError} if it has several tables and none is chosen.
 */
export async function attachFile(engine: FileDatabase, file: string, table: string | undefined): Promise<string> {
  await engine.run(`ATTACH ${quoteSqlString(resolve(file))} AS ${ATTACHED} (READ_ONLY)`);
  const found = await engine.rows(
    `SELECT schema_name AS schema, table_name AS name FROM duckdb_tables() WHERE database_name = '${ATTACHED}'
    UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = '${ATTACHED}' AND NOT internal
    ORDER BY ALL`,
  );
  const tables = found.map(({ schema, name }) => ({ schema: String(schema), name: String(name) }));
  const matching = table === undefined ? tables : tables.filter(({ name }) => name === table);
  const [only] = matching;
  if (only !== undefined && matching.length === 1)
    return [ATTACHED, only.schema, only.name].map(duckdb.quoteName).join('.');
  const names = tables.map(({ name }) => name).join(', ');
  if (tables.length === 0) throw new InputError(`${file} has no tables`);
  if (table === undefined) throw new UsageError(`${file} has several tables. Choose one with --table: ${names}`);
  throw new UsageError(
    `${file} has ${matching.length === 0 ? 'no table' : 'several tables'} called ${table}. Its tables: ${names}`,
  );
}
