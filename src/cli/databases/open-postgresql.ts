import type * as Pg from 'pg';
import { postgresql } from '../../lang/engines/sql/dialects/postgresql.ts';
import { loadPackage } from '../../service/store/load-package.ts';
import { UsageError } from '../exit.ts';
import { describeDatabaseError, type SqlConnection } from './database.ts';

const MISSING = 'PostgreSQL needs the package pg, which is not installed. Run: npm install pg';

/**
 * Connects to a PostgreSQL server: `postgres://user:password@host/database`. If the URL has no password, uses the
 * environment variable `PGPASSWORD` or `~/.pgpass`. All transactions are read-only.
 */
export async function openPostgresql(url: string): Promise<SqlConnection> {
  const pg = loadPackage('pg') as typeof Pg | undefined;
  if (pg === undefined) throw new UsageError(MISSING);
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a lost connection would end the process. The running statement reports the error.
  client.on('error', () => undefined);
  const database: SqlConnection = {
    dialect: postgresql,
    async run(sql, parameters) {
      try {
        return (await client.query(sql, [...parameters])).rows;
      } catch (error) {
        throw describeDatabaseError(postgresql, error);
      }
    },
    close: () => client.end(),
  };
  try {
    await client.connect();
  } catch (error) {
    throw describeDatabaseError(postgresql, error);
  }
  await database.run('SET default_transaction_read_only = on', []);
  return database;
}
