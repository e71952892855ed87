import { sqlite } from '../../../../src/lang/engines/sql/dialects/sqlite.ts';
import type { SqlValue } from '../../../../src/lang/engines/sql/sql.ts';
import { loadPeer } from '../../../load-peer.ts';
import type { Cell, ColumnType, Database } from './database.ts';

type Row = Readonly<Record<string, unknown>>;

/** A prepared statement of a driver. */
interface Statement {
  readonly columns: readonly string[];
  all(parameters: readonly SqlValue[]): readonly Row[];
  close(): void;
}

interface Connection {
  prepare(sql: string): Statement;
  close(): void;
}

interface SqliteDriver {
  readonly name: string;
  readonly open: () => Promise<Database>;
}

/** The SQLite drivers that are available for tests. */
export const SQLITE_DATABASES: readonly [SqliteDriver, ...SqliteDriver[]] = [
  { name: 'SQLite in sql.js', open: async () => createDatabase(await openSqlJs()) },
  ...(hasNodeSqlite() ? [{ name: 'SQLite in Node.js', open: async () => createDatabase(await openNodeSqlite()) }] : []),
];

function hasNodeSqlite(): boolean {
  const hasIt = process.getBuiltinModule?.('node:sqlite') !== undefined;
  if (!hasIt) console.warn(`Node.js ${process.versions.node} has no node:sqlite. Its tests are skipped.`);
  return hasIt;
}

interface SqlJs {
  Database: new () => {
    prepare(sql: string): {
      bind(parameters: readonly SqlValue[]): void;
      step(): boolean;
      getAsObject(): Row;
      getColumnNames(): string[];
      free(): void;
    };
    close(): void;
  };
}

async function openSqlJs(): Promise<Connection> {
  const { default: initialize } = await loadPeer<{ default: () => Promise<SqlJs> }>('sql.js');
  const database = new (await initialize()).Database();
  return {
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        columns: statement.getColumnNames(),
        all(parameters) {
          statement.bind(parameters);
          const rows: Row[] = [];
          while (statement.step()) rows.push(statement.getAsObject());
          return rows;
        },
        close: () => statement.free(),
      };
    },
    close: () => database.close(),
  };
}

interface NodeSqlite {
  DatabaseSync: new (
    path: string,
  ) => {
    prepare(sql: string): {
      all(...parameters: readonly SqlValue[]): Row[];
      columns(): { readonly name: string }[];
    };
    close(): void;
  };
}

async function openNodeSqlite(): Promise<Connection> {
  const { DatabaseSync } = await loadPeer<NodeSqlite>('node:sqlite');
  const database = new DatabaseSync(':memory:');
  return {
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        columns: statement.columns().map(({ name }) => name),
        all: (parameters) => statement.all(...parameters),
        close: () => undefined,
      };
    },
    close: () => database.close(),
  };
}

const TYPES: Readonly<Record<Exclude<ColumnType, 'map'>, string>> = {
  integer: 'INTEGER',
  double: 'REAL',
  text: 'TEXT',
  boolean: 'INTEGER',
  json: 'TEXT',
};

function createDatabase(connection: Connection): Database {
  const { quoteName } = sqlite;
  const run = (sql: string, parameters: readonly SqlValue[] = []) => {
    const statement = connection.prepare(sql);
    try {
      return statement.all(parameters);
    } finally {
      statement.close();
    }
  };
  return {
    dialect: sqlite,
    holdsNul: true,
    hasLongSql: true,
    async createTable(name, columns, rows) {
      const list = columns.map((column) => `${quoteName(column.name)} ${TYPES[column.type as keyof typeof TYPES]}`);
      run(`DROP TABLE IF EXISTS ${quoteName(name)}`);
      run(`CREATE TABLE ${quoteName(name)} (${list.join(', ')})`);
      const insertion = connection.prepare(
        `INSERT INTO ${quoteName(name)} VALUES (${columns.map((_, index) => `?${index + 1}`).join(', ')})`,
      );
      for (const row of rows) insertion.all(row.map(toBindable) as SqlValue[]);
      insertion.close();
    },
    async query(sql, parameters) {
      const statement = connection.prepare(sql);
      const { columns } = statement;
      statement.close();
      // Drivers end strings at U+0000 or drop a leading U+FEFF, but return bytes unchanged.
      const asBytes = columns
        .map(quoteName)
        .map((column) => `iif(typeof(${column}) = 'text', CAST(${column} AS BLOB), ${column}) AS ${column}`);
      const rows = run(`SELECT ${asBytes.join(', ')} FROM (${sql}${sqlite.fence})`, parameters);
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, decode(value)])),
      );
    },
    async close() {
      connection.close();
    },
  };
}

/** SQLite has no booleans, and NaN becomes NULL. */
function toBindable(cell: Cell): Cell {
  return typeof cell === 'boolean' ? Number(cell) : cell;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

function decode(value: unknown): unknown {
  return value instanceof Uint8Array ? decoder.decode(value) : value;
}
