import pg from 'pg';
import { postgresql } from '../../../../src/lang/engines/sql/dialects/postgresql.ts';
import { loadPeer } from '../../../load-peer.ts';
import type { ColumnType, Database } from './database.ts';
import { HAS_POSTGRES, startPostgres } from './postgres-server.ts';

type Row = Readonly<Record<string, unknown>>;

interface Pglite {
  query(sql: string, parameters: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
  close(): Promise<void>;
}

/** A PostgreSQL database with the functions of the dialect. Arrays can be parameters too. */
export interface PostgresqlDatabase extends Database {
  query(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]>;
}

/** The PostgreSQL databases that are available for tests. */
export const POSTGRESQL_DATABASES: readonly {
  readonly name: string;
  readonly open: () => Promise<PostgresqlDatabase>;
}[] = [
  { name: 'PostgreSQL in this process', open: openPglite },
  ...(HAS_POSTGRES ? [{ name: 'a PostgreSQL server', open: openPostgres }] : []),
];

export async function openPglite(): Promise<PostgresqlDatabase> {
  const { PGlite } = await loadPeer<{ PGlite: { create(): Promise<Pglite> } }>('@electric-sql/pglite');
  const database = await PGlite.create();
  const query = async (sql: string, parameters: readonly unknown[]) => (await database.query(sql, parameters)).rows;
  return createDatabase(query, () => database.close());
}

export async function openPostgres(): Promise<PostgresqlDatabase> {
  const server = startPostgres();
  const client = new pg.Client({ host: server.host, user: 'postgres', database: 'postgres' });
  await client.connect();
  const query = async (sql: string, parameters: readonly unknown[]) =>
    (await client.query<Row>(sql, [...parameters])).rows;
  return createDatabase(query, async () => {
    await client.end();
    server.stop();
  });
}

const TYPES: Readonly<Record<Exclude<ColumnType, 'map'>, string>> = {
  integer: 'integer',
  double: 'float8',
  text: 'text',
  boolean: 'boolean',
  json: 'jsonb',
};

/** The limit of parameters per statement. */
const MAX_PARAMETERS = 65_535;

async function createDatabase(
  query: PostgresqlDatabase['query'],
  close: PostgresqlDatabase['close'],
): Promise<PostgresqlDatabase> {
  // Run the setup twice, because it must be repeatable.
  try {
    for (const statement of [...postgresql.setup, ...postgresql.setup]) await query(statement, []);
  } catch (error) {
    await close();
    throw error;
  }
  const { quoteName } = postgresql;
  return {
    dialect: postgresql,
    holdsNul: false,
    async createTable(name, columns, rows) {
      const types = columns.map(({ type }) => TYPES[type as keyof typeof TYPES]);
      const list = columns.map((column, index) => `${quoteName(column.name)} ${types[index]}`).join(', ');
      const getPlaceholders = (row: number) =>
        `(${types.map((type, index) => `$${row * types.length + index + 1}::${type}`).join(', ')})`;
      await query('BEGIN', []);
      await query(`DROP TABLE IF EXISTS ${quoteName(name)}`, []);
      await query(`CREATE TABLE ${quoteName(name)} (${list})`, []);
      const batchSize = Math.floor(MAX_PARAMETERS / types.length);
      for (let from = 0; from < rows.length; from += batchSize) {
        const batch = rows.slice(from, from + batchSize);
        const values = batch.map((_, row) => getPlaceholders(row)).join(', ');
        await query(`INSERT INTO ${quoteName(name)} VALUES ${values}`, batch.flat());
      }
      await query('COMMIT', []);
    },
    query,
    close,
  };
}
