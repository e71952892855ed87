import type { Properties } from '../../src/lang/value.ts';
import { readPropertyNames } from '../dialect.ts';
import type { SetEngine } from '../engines/engine.ts';
import { loadPeer } from './load-peer.ts';
import { createSqlDialect } from './sql-dialect.ts';

interface Appender {
  appendInteger(value: number): void;
  appendDouble(value: number): void;
  appendVarchar(value: string): void;
  appendBoolean(value: boolean): void;
  appendNull(): void;
  endRow(): void;
  closeSync(): void;
}

interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): (number | bigint)[][] }>;
  createAppender(table: string): Promise<Appender>;
}

interface Module {
  readonly DuckDBInstance: { create(path: string, options: object): Promise<{ connect(): Promise<Connection> }> };
}

const TYPES = { number: 'DOUBLE', text: 'VARCHAR', boolean: 'BOOLEAN' } as const;
type Kind = keyof typeof TYPES;
const KINDS = Object.keys(TYPES) as Kind[];

const column = (kind: Kind) => (name: string) => `"${name} as ${kind}"`;
const DIALECT = createSqlDialect({ number: column('number'), text: column('text'), boolean: column('boolean') });

async function fill(connection: Connection, names: readonly string[], events: readonly Properties[]): Promise<void> {
  const columns = names.flatMap((name) => KINDS.map((kind) => `${column(kind)(name)} ${TYPES[kind]}`));
  await connection.run(`CREATE TABLE events (row INTEGER, ${columns.join(', ')})`);
  const appender = await connection.createAppender('events');
  const append = (kind: Kind, value: unknown) => {
    if (kind === 'number' && typeof value === 'number') appender.appendDouble(value);
    else if (kind === 'text' && typeof value === 'string') appender.appendVarchar(value);
    else if (kind === 'boolean' && typeof value === 'boolean') appender.appendBoolean(value);
    else appender.appendNull();
  };
  events.forEach((properties, row) => {
    appender.appendInteger(row);
    for (const name of names) for (const kind of KINDS) append(kind, properties[name]);
    appender.endRow();
  });
  appender.closeSync();
}

/**
 * DuckDB with some settings. Each property has a column per type. The check reads the rows, but only the count is
 * timed,
 * without the cost of returning rows.
 */
function duckDb(threads: string, settings: Readonly<Record<string, string>>): SetEngine {
  return {
    name: `DuckDB, typed columns, ${threads}`,
    group: 'peer',
    over: 'sets',
    write: (filter) => filter(DIALECT),
    async load(events, { filter }) {
      const { DuckDBInstance } = await loadPeer<Module>('@duckdb/node-api');
      const instance = await DuckDBInstance.create(':memory:', settings);
      const connection = await instance.connect();
      await fill(connection, readPropertyNames(filter), events);
      const first = async (sql: string) =>
        (await connection.runAndReadAll(sql)).getRows().map(([value]) => Number(value));
      return (where) => ({
        rows: () => first(`SELECT row FROM events WHERE ${where} ORDER BY row`),
        count: async () => (await first(`SELECT count(*) FROM events WHERE ${where}`))[0] ?? 0,
      });
    },
  };
}

/** DuckDB with a thread per core, as users run it, and with one thread, as all other engines have. */
export const DUCKDB: readonly SetEngine[] = [duckDb('all threads', {}), duckDb('1 thread', { threads: '1' })];
