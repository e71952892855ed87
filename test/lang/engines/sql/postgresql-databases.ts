import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { postgresql } from '../../../../src/lang/engines/sql/dialects/postgresql.ts';
import type { ColumnType, Database } from './database.ts';
import { HAS_POSTGRES, startPostgres } from './postgres-server.ts';

type Row = Readonly<Record<string, unknown>>;

/** A PostgreSQL with the functions of the dialect; arrays can be parameters too. */
export interface PostgresqlDatabase extends Database {
  query(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]>;
}

/** Each PostgreSQL that there is to test with. */
export const POSTGRESQL_DATABASES: readonly {
  readonly name: string;
  readonly open: () => Promise<PostgresqlDatabase>;
}[] = [
  { name: 'PostgreSQL in this process', open: openPglite },
  ...(HAS_POSTGRES ? [{ name: 'a PostgreSQL server', open: openPostgres }] : []),
];

export async function openPglite(): Promise<PostgresqlDatabase> {
  const database = await PGlite.create();
  const query = async (sql: string, parameters: readonly unknown[]) =>
    (await database.query<Row>(sql, [...parameters])).rows;
  return databaseOf(query, () => database.close());
}

export async function openPostgres(): Promise<PostgresqlDatabase> {
  const server = startPostgres();
  const client = new pg.Client({ host: server.host, user: 'postgres', database: 'postgres' });
  await client.connect();
  const query = async (sql: string, parameters: readonly unknown[]) =>
    (await client.query<Row>(sql, [...parameters])).rows;
  return databaseOf(query, async () => {
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

/** Of a statement. */
const MAX_PARAMETERS = 65_535;

async function databaseOf(
  query: PostgresqlDatabase['query'],
  close: PostgresqlDatabase['close'],
): Promise<PostgresqlDatabase> {
  // Twice: what is there already does no harm.
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
      const places = (row: number) =>
        `(${types.map((type, index) => `$${row * types.length + index + 1}::${type}`).join(', ')})`;
      await query('BEGIN', []);
      await query(`DROP TABLE IF EXISTS ${quoteName(name)}`, []);
      await query(`CREATE TABLE ${quoteName(name)} (${list})`, []);
      const together = Math.floor(MAX_PARAMETERS / types.length);
      for (let from = 0; from < rows.length; from += together) {
        const some = rows.slice(from, from + together);
        const values = some.map((_, row) => places(row)).join(', ');
        await query(`INSERT INTO ${quoteName(name)} VALUES ${values}`, some.flat());
      }
      await query('COMMIT', []);
    },
    query,
    close,
  };
}
