import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { postgresql } from '../../src/engines/sql/dialects/postgresql.ts';
import { HAS_POSTGRES, startPostgres } from './postgres-server.ts';

/** A database with the functions of the dialect. */
export interface Connection {
  /** The rows, each value as the driver reads it. */
  query(sql: string, parameters?: readonly unknown[]): Promise<unknown[][]>;
  close(): Promise<void>;
}

/** Each PostgreSQL that there is to test with. */
export const CONNECTIONS: readonly { readonly name: string; readonly open: () => Promise<Connection> }[] = [
  { name: 'pglite', open: openPglite },
  ...(HAS_POSTGRES ? [{ name: 'a PostgreSQL server', open: openServer }] : []),
];

async function openPglite(): Promise<Connection> {
  const database = await PGlite.create();
  return withSetup({
    async query(sql, parameters = []) {
      const { rows } = await database.query<unknown[]>(sql, [...parameters], {
        rowMode: 'array',
      });
      return rows;
    },
    close: () => database.close(),
  });
}

async function openServer(): Promise<Connection> {
  const server = startPostgres();
  const client = new pg.Client({ host: server.host, user: 'postgres', database: 'postgres' });
  await client.connect();
  return withSetup({
    async query(sql, parameters = []) {
      const { rows } = await client.query<unknown[]>({ text: sql, values: [...parameters], rowMode: 'array' });
      return rows;
    },
    async close() {
      await client.end();
      server.stop();
    },
  });
}

async function withSetup(connection: Connection): Promise<Connection> {
  // Twice: what is there already does no harm.
  for (const statement of [...postgresql.setup, ...postgresql.setup]) await connection.query(statement);
  return connection;
}
