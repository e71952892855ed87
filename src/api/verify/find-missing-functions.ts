import type { Dialect, DialectName } from '../../lang/engines/sql/dialect.ts';
import type { RunSql } from './probe-table.ts';

/** The queries that list the functions named `onwhere…` that a connection can call. */
const LIST_QUERIES: Readonly<Record<DialectName, string | undefined>> = {
  DuckDB: "SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE function_name LIKE 'onwhere%'",
  ClickHouse: "SELECT name FROM system.functions WHERE name LIKE 'onwhere%'",
  PostgreSQL: "SELECT proname AS name FROM pg_proc WHERE proname LIKE 'onwhere%' AND pg_function_is_visible(oid)",
  // Its SQL calls none.
  SQLite: undefined,
};

/** Thrown if a database lacks functions that the SQL calls. Run the statements of the dialect's `setup` to create them. */
export class SqlSetupError extends Error {
  override readonly name = 'SqlSetupError';
  /** The names of the missing functions, at least one. */
  readonly missing: readonly string[];

  constructor(dialect: DialectName, missing: readonly string[]) {
    super(`${dialect} lacks functions that the SQL calls (${missing.join(', ')}). Run the statements of \`setup\`.`);
    this.missing = missing;
  }
}

/** Returns the names of the functions that `setup` creates and the database lacks. */
export async function findMissingFunctions(run: RunSql, dialect: Dialect): Promise<string[]> {
  const query = LIST_QUERIES[dialect.name];
  if (query === undefined) return [];
  const rows = await run(query, []);
  const found = new Set(rows.map(({ name }) => name));
  return listFunctions(dialect).filter((name) => !found.has(name));
}

/** Returns the names of the functions that `setup` creates. */
export function listFunctions({ setup }: Dialect): string[] {
  return setup.flatMap((statement) => /\bonwhere_\w+/.exec(statement) ?? []);
}
