import type { Dialect, DialectName } from '../../lang/engines/sql/dialect.ts';
import type { RunSql } from './probe-table.ts';

/** Lists the functions called `onwhere_…` that a connection can call. */
const LISTS: Readonly<Record<DialectName, string>> = {
  DuckDB: "SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE function_name LIKE 'onwhere%'",
  ClickHouse: "SELECT name FROM system.functions WHERE name LIKE 'onwhere%'",
  PostgreSQL: "SELECT proname AS name FROM pg_proc WHERE proname LIKE 'onwhere%' AND pg_function_is_visible(oid)",
};

/** A database lacks functions that its SQL calls. Run the statements of the dialect's `setup` in it. */
export class SqlSetupError extends Error {
  override readonly name = 'SqlSetupError';
  /** The names of the functions, at least one. */
  readonly missing: readonly string[];

  constructor(dialect: DialectName, missing: readonly string[]) {
    super(`${dialect} lacks functions that the SQL calls (${missing.join(', ')}): run the statements of setup`);
    this.missing = missing;
  }
}

/** The names of the functions that `setup` makes and the database does not have. */
export async function findMissingFunctions(run: RunSql, dialect: Dialect): Promise<string[]> {
  const rows = await run(LISTS[dialect.name], []);
  const found = new Set(rows.map(({ name }) => name));
  return listFunctions(dialect).filter((name) => !found.has(name));
}

/** The names of the functions that `setup` makes. */
export function listFunctions({ setup }: Dialect): string[] {
  return setup.flatMap((statement) => /\bonwhere_\w+/.exec(statement) ?? []);
}
