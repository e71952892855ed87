import { postgresql } from '../../lang/engines/sql/dialects/postgresql.ts';
import { UsageError } from '../exit.ts';
import { describeDatabaseError, type SqlConnection } from './database.ts';

const MISSING = 'PostgreSQL needs the package pg, which is not installed here: npm install pg';

/**
 * A PostgreSQL server: `postgres://user:password@host/database`. If the URL has no password, it is that of the
 * environment variable `PGPASSWORD` or of `~/.pgpass`. All transactions are read-only.
 */
export async function openPostgresql(url: string): Promise<SqlConnection> {
  const { default: pg } = await import('pg').catch(() => {
    throw new UsageError(MISSING);
  });
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a connection that is lost would end the process. The statement that runs fails too.
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
