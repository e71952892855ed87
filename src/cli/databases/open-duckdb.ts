import { resolve } from 'node:path';
import { findMissingFunctions, listFunctions } from '../../api/verify/find-missing-functions.ts';
import type { RunSql } from '../../api/verify/probe-table.ts';
import { duckdb } from '../../lang/engines/sql/dialects/duckdb.ts';
import { getParameterTypes, openInstance } from '../../service/store/duckdb/open-instance.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import { describeDatabaseError, type SqlConnection } from './database.ts';

/** The name of the attached file in SQL. */
const ATTACHED = 'attached';

/**
 * Opens the installed DuckDB in this process, with a read-only file if one is given and access to no other. If the file
 * has none of the functions that queries call, creates them in memory.
 */
export async function openDuckdb(file: string | undefined): Promise<SqlConnection> {
  const instance = await openInstance({ only: { files: file === undefined ? [] : [resolve(file)] } });
  const connection = await instance.connect();
  const run: RunSql = async (sql, parameters) => {
    try {
      const reader = await connection.runAndReadAll(sql, [...parameters], getParameterTypes(parameters));
      return reader.getRowObjectsJS();
    } catch (error) {
      throw describeDatabaseError(duckdb, error);
    }
  };
  const close = async () => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    if (file !== undefined) {
      await run(`ATTACH ${quoteSqlString(resolve(file))} AS ${ATTACHED} (READ_ONLY)`, []);
      await run(`USE ${ATTACHED}`, []);
    }
    const missing = await findMissingFunctions(run, duckdb);
    if (missing.length === listFunctions(duckdb).length) {
      await run('USE memory', []);
      for (const statement of duckdb.setup) await run(statement, []);
    }
    return { dialect: duckdb, run, close };
  } catch (error) {
    await close();
    throw error;
  }
}
