import { resolve } from 'node:path';
import { duckdb } from '../../lang/engines/sql/dialects/duckdb.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import { UsageError } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { FileDatabase } from './file-database.ts';

/** The name of an attached file in SQL. */
export const ATTACHED = 'attached';

/**
 * Attaches a .duckdb file and returns the SQL of the table to read. Views and generated columns are refused: they are
 * code of whoever made the file, which could read other files, or take all memory and never end.
 *
 * @throws {InputError} if it has no tables, or the chosen one is a view or has generated columns.
 * @throws {UsageError} if it has several tables and none is chosen.
 */
export async function attachFile(engine: FileDatabase, file: string, table: string | undefined): Promise<string> {
  await engine.run(`ATTACH ${quoteSqlString(resolve(file))} AS ${ATTACHED} (READ_ONLY)`);
  const tables = await listRelations(engine, 'table');
  const matching = table === undefined ? tables : tables.filter(({ name }) => name === table);
  const [only] = matching;
  if (only !== undefined && matching.length === 1) {
    if (hasGeneratedColumns(only)) throw new InputError(describeCode(file, only.name, 'has generated columns'));
    return [ATTACHED, only.schema, only.name].map(duckdb.quoteName).join('.');
  }
  const views = (await listRelations(engine, 'view')).map(({ name }) => name);
  const view = matching.length > 0 ? undefined : table === undefined ? views[0] : views.find((name) => name === table);
  if (view !== undefined && (table !== undefined || tables.length === 0))
    throw new InputError(describeCode(file, view, 'is a view'));
  const names = tables.map(({ name }) => name).join(', ');
  if (tables.length === 0) throw new InputError(`${file} has no tables`);
  if (table === undefined) throw new UsageError(`${file} has several tables. Choose one with --table: ${names}`);
  throw new UsageError(
    `${file} has ${matching.length === 0 ? 'no table' : 'several tables'} called ${table}. Its tables: ${names}`,
  );
}

interface Relation {
  readonly schema: string;
  readonly name: string;
  /** The statement that creates it, as DuckDB writes it. */
  readonly sql: string;
}

async function listRelations(engine: FileDatabase, kind: 'table' | 'view'): Promise<Relation[]> {
  const found = await engine.rows(
    `SELECT schema_name AS schema, ${kind}_name AS name, sql FROM duckdb_${kind}s()
    WHERE database_name = '${ATTACHED}' AND NOT internal ORDER BY ALL`,
  );
  return found.map(({ schema, name, sql }) => ({ schema: String(schema), name: String(name), sql: String(sql) }));
}

const QUOTED = /"(?:""|[^"])*"|'(?:''|[^'])*'/g;

function hasGeneratedColumns({ sql }: Relation): boolean {
  return sql.replace(QUOTED, '').includes('GENERATED ALWAYS AS');
}

function describeCode(file: string, name: string, what: string): string {
  const copy = duckdb.quoteName(`${name} rows`);
  return (
    `${file}: ${name} ${what}. Only tables with stored columns are read, because a file must not run code. ` +
    `If you trust it, copy the rows in DuckDB: CREATE TABLE ${copy} AS FROM ${duckdb.quoteName(name)}`
  );
}
