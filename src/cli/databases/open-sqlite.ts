import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import type { RunSql } from '../../api/verify/probe-table.ts';
import { sqlite } from '../../lang/engines/sql/dialects/sqlite.ts';
import { loadPackage } from '../../service/store/load-package.ts';
import { UsageError } from '../exit.ts';
import { describeDatabaseError, type SqlConnection } from './database.ts';

const MISSING =
  'SQLite needs Node.js 22.13 or newer, or the package sql.js, which is not installed. Run: npm install sql.js';

/** A driver for verification. */
interface Driver {
  /** Returns the rows of a statement, with strings as bytes. */
  readonly readRows: (sql: string, parameters: Parameters<RunSql>[1]) => readonly Readonly<Record<string, unknown>>[];
  /** Returns the names of the columns of a statement. */
  readonly readColumns: (sql: string) => readonly string[];
  readonly close: () => void;
}

/** The part of `node:sqlite` that is used: the types of Node.js 20 do not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(sql: string): {
      all(...parameters: Parameters<RunSql>[1]): Readonly<Record<string, unknown>>[];
      columns(): { readonly name: string }[];
    };
    close(): void;
  };
  readonly StatementSync: { readonly prototype: { readonly columns?: unknown } };
}

interface SqlJs {
  readonly Database: new (
    bytes?: Uint8Array,
  ) => {
    prepare(sql: string): {
      bind(parameters: Parameters<RunSql>[1]): void;
      step(): boolean;
      getAsObject(): Readonly<Record<string, unknown>>;
      getColumnNames(): string[];
      free(): void;
    };
    close(): void;
  };
}

/** Tests whether a file is a SQLite database, by its first bytes: https://www.sqlite.org/fileformat.html */
export async function isSqliteFile(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString('latin1') === 'SQLite format 3\0';
  } finally {
    await handle.close();
  }
}

/**
 * Opens SQLite in this process, with a file for reading if one is given: with `node:sqlite`, or with the package sql.js
 * where Node.js does not have it.
 *
 * @throws {UsageError} if there is neither.
 */
export async function openSqlite(file: string | undefined): Promise<SqlConnection> {
  const driver = await openDriver(file);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const decode = (value: unknown) => (value instanceof Uint8Array ? decoder.decode(value) : value);
  return {
    dialect: sqlite,
    async run(sql, parameters) {
      try {
        // Drivers end strings at U+0000 or drop a leading U+FEFF, but return bytes unchanged.
        const items = driver.readColumns(sql).map((name) => {
          const column = sqlite.quoteName(name);
          return `iif(typeof(${column}) = 'text', CAST(${column} AS BLOB), ${column}) AS ${column}`;
        });
        const rows = driver.readRows(`SELECT ${items.join(', ')} FROM (${sql}${sqlite.fence})`, parameters);
        return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, decode(value)])));
      } catch (error) {
        throw describeDatabaseError(sqlite, error);
      }
    },
    close: async () => driver.close(),
  };
}

async function openDriver(file: string | undefined): Promise<Driver> {
  try {
    const native = isBuiltin('node:sqlite') ? (loadPackage('node:sqlite') as NodeSqlite) : undefined;
    if (native?.StatementSync.prototype.columns !== undefined) return openNative(native, file);
    const initialize = loadPackage('sql.js') as (() => Promise<SqlJs>) | undefined;
    if (initialize === undefined) throw new UsageError(MISSING);
    return openSqlJs(await initialize(), file);
  } catch (error) {
    throw error instanceof UsageError ? error : describeDatabaseError(sqlite, error);
  }
}

function openNative({ DatabaseSync }: NodeSqlite, file: string | undefined): Driver {
  const database = new DatabaseSync(file ?? ':memory:', { readOnly: file !== undefined });
  return {
    readRows: (sql, parameters) => database.prepare(sql).all(...parameters),
    readColumns: (sql) =>
      database
        .prepare(sql)
        .columns()
        .map(({ name }) => name),
    close: () => database.close(),
  };
}

function openSqlJs({ Database }: SqlJs, file: string | undefined): Driver {
  const database = new Database(file === undefined ? undefined : readFileSync(file));
  const withStatement = <Result>(sql: string, use: (statement: ReturnType<typeof database.prepare>) => Result) => {
    const statement = database.prepare(sql);
    try {
      return use(statement);
    } finally {
      statement.free();
    }
  };
  return {
    readRows: (sql, parameters) =>
      withStatement(sql, (statement) => {
        statement.bind(parameters);
        const rows: Readonly<Record<string, unknown>>[] = [];
        while (statement.step()) rows.push(statement.getAsObject());
        return rows;
      }),
    readColumns: (sql) => withStatement(sql, (statement) => statement.getColumnNames()),
    close: () => database.close(),
  };
}
