import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IsSelected } from '../options.ts';
import type { Measurement } from '../results.ts';
import { CLICKHOUSE_SQL } from './clickhouse-sql.ts';
import { DUCKDB_SQL } from './duckdb-sql.ts';
import { SQL_CASES, type SqlCase } from './sql-case.ts';
import type { SqlDatabase } from './sql-database.ts';
import { writeSqlEvents } from './sql-events.ts';
import { type LayoutName, SQL_LAYOUTS } from './sql-layouts.ts';
import { raceSql, sqlCaseName } from './sql-race.ts';

/** The databases in which SQL is timed. */
export const SQL_DATABASES: readonly SqlDatabase[] = [DUCKDB_SQL, CLICKHOUSE_SQL];

const LAYOUTS = Object.keys(SQL_LAYOUTS) as LayoutName[];

/** Times the SQL of onwhere and SQL by hand, on the same events in each layout. */
export async function* measureSql(
  events: number,
  rounds: number,
  isSelected: IsSelected,
): AsyncGenerator<Measurement[]> {
  const databases = SQL_DATABASES.filter((database) =>
    LAYOUTS.some((layout) => casesIn(database, layout, isSelected).length > 0),
  );
  if (databases.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-sql-'));
  const file = join(folder, 'events.ndjson');
  try {
    await writeSqlEvents(file, events);
    for (const database of databases) yield* measureDatabase(database, folder, file, rounds, isSelected);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function casesIn(database: SqlDatabase, layout: LayoutName, isSelected: IsSelected): SqlCase[] {
  return SQL_CASES.filter(
    ({ name, notIn }) => notIn !== layout && isSelected('sql', sqlCaseName(database, layout, name)),
  );
}

async function* measureDatabase(
  database: SqlDatabase,
  folder: string,
  file: string,
  rounds: number,
  isSelected: IsSelected,
) {
  const connection = await database.open(folder);
  try {
    for (const statement of database.dialect.setup) await connection.query(statement, []);
    for (const layout of LAYOUTS) {
      const cases = casesIn(database, layout, isSelected);
      if (cases.length === 0) continue;
      for (const statement of database.load(layout, file)) await connection.query(statement, []);
      for (const testCase of cases) yield await raceSql(database, connection, layout, testCase, rounds);
    }
  } finally {
    connection.close();
  }
}
