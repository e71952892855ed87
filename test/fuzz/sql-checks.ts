import { print } from '../../src/lang/syntax/print.ts';
import { HAS_CLICKHOUSE, openClickhouse } from '../clickhouse/open-clickhouse.ts';
import type { Database } from '../lang/engines/sql/database.ts';
import { openDuckdb } from '../lang/engines/sql/duckdb-database.ts';
import { LAYOUTS, toStored } from '../lang/engines/sql/layouts.ts';
import { HAS_POSTGRES } from '../lang/engines/sql/postgres-server.ts';
import { openPglite, openPostgres } from '../lang/engines/sql/postgresql-databases.ts';
import { SqlComparison } from '../lang/engines/sql/sql-comparison.ts';
import type { Case } from '../value-first.ts';
import type { SlowCheck } from './slow-check.ts';

type Layouts = readonly (keyof typeof LAYOUTS)[];

/** Compares a database with the interpreter in each layout. */
class SqlCheck implements SlowCheck {
  constructor(
    private readonly database: Database,
    private readonly layouts: Layouts,
  ) {}

  /** Evaluates all expressions on the records of all cases, at the time of the first: a query has only one time. */
  async compare(cases: readonly Case[]): Promise<number> {
    const inputs = cases.flatMap(({ records }) => records);
    const now = inputs[0]?.now ?? 0;
    const expressions = cases.map(({ tree }) => print(tree));
    let compared = 0;
    for (const layout of this.layouts) {
      const { keep, create } = LAYOUTS[layout];
      const storedInputs = inputs.map((input) => toStored(keep({ ...input, now }), this.database.holdsNul));
      const comparison = new SqlComparison(
        this.database,
        await create(this.database, 'records', storedInputs),
        storedInputs,
      );
      await comparison.compare(expressions);
      compared += comparison.compared;
    }
    return compared;
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

const WITHOUT_MAPS: Layouts = ['json', 'jsonRespelled', 'columns'];
const ALL_LAYOUTS = Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[];

/** Opens the database of a check. Returns undefined if it is not installed; its module warns about that. */
export const SQL_CHECKS: Readonly<Record<string, () => Promise<SlowCheck | undefined>>> = {
  duckdb: async () => new SqlCheck(await openDuckdb(), ALL_LAYOUTS),
  clickhouse: async () => (HAS_CLICKHOUSE ? new SqlCheck(await openClickhouse(), ALL_LAYOUTS) : undefined),
  postgresql: async () => (HAS_POSTGRES ? new SqlCheck(await openPostgres(), WITHOUT_MAPS) : undefined),
  pglite: async () => new SqlCheck(await openPglite(), WITHOUT_MAPS),
};
