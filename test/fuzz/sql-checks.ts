import { print } from '../../src/lang/syntax/print.ts';
import { HAS_CLICKHOUSE, openClickhouse } from '../clickhouse/open-clickhouse.ts';
import type { Database } from '../lang/engines/sql/database.ts';
import { openDuckdb } from '../lang/engines/sql/duckdb-database.ts';
import { LAYOUTS, toStored } from '../lang/engines/sql/layouts.ts';
import { HAS_POSTGRES } from '../lang/engines/sql/postgres-server.ts';
import { openPglite, openPostgres } from '../lang/engines/sql/postgresql-databases.ts';
import { SqlComparison } from '../lang/engines/sql/sql-comparison.ts';
import { SQLITE_DATABASES } from '../lang/engines/sql/sqlite-databases.ts';
import type { Case } from '../value-first.ts';
import type { SlowCheck } from './slow-check.ts';

type Layouts = readonly (keyof typeof LAYOUTS)[];

/** The layouts and uses in which a database is compared. */
interface Scope {
  readonly layouts: Layouts;
  /** Whether expressions are evaluated only as filters. */
  readonly onlyFilters: boolean;
}

/** Compares a database with the interpreter in each layout. */
class SqlCheck implements SlowCheck {
  constructor(
    private readonly database: Database,
    private readonly scope: Scope,
  ) {}

  /** Evaluates all expressions on the records of all cases, at the time of the first: a query has only one time. */
  async compare(cases: readonly Case[]): Promise<number> {
    const { layouts, onlyFilters } = this.scope;
    const inputs = cases.flatMap(({ records }) => records);
    const now = inputs[0]?.now ?? 0;
    const expressions = cases.map(({ tree }) => print(tree));
    let compared = 0;
    for (const layout of layouts) {
      const { keep, create } = LAYOUTS[layout];
      const storedInputs = inputs.map((input) => toStored(keep({ ...input, now }), this.database.holdsNul));
      const comparison = new SqlComparison(
        this.database,
        await create(this.database, 'records', storedInputs),
        storedInputs,
      );
      await (onlyFilters ? comparison.compareFilters(expressions) : comparison.compare(expressions));
      compared += comparison.compared;
    }
    return compared;
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

const WITHOUT_MAPS: Scope = { layouts: ['json', 'jsonRespelled', 'columns'], onlyFilters: false };
const ALL_LAYOUTS: Scope = { layouts: Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[], onlyFilters: false };
const FILTERS: Scope = { layouts: ['json'], onlyFilters: true };

/** Opens the database of a check. Returns undefined if it is not installed; its module warns about that. */
type OpenCheck = (onlyFilters: boolean) => Promise<SlowCheck | undefined>;

const openSqlCheck =
  (isInstalled: boolean, open: () => Promise<Database>, scope: Scope): OpenCheck =>
  async (onlyFilters) =>
    isInstalled ? new SqlCheck(await open(), onlyFilters ? FILTERS : scope) : undefined;

/** The databases by name. */
export const SQL_CHECKS: Readonly<Record<string, OpenCheck>> = {
  duckdb: openSqlCheck(true, openDuckdb, ALL_LAYOUTS),
  clickhouse: openSqlCheck(HAS_CLICKHOUSE, openClickhouse, ALL_LAYOUTS),
  postgresql: openSqlCheck(HAS_POSTGRES, openPostgres, WITHOUT_MAPS),
  pglite: openSqlCheck(true, openPglite, WITHOUT_MAPS),
  sqlite: openSqlCheck(true, SQLITE_DATABASES[0].open, WITHOUT_MAPS),
};
