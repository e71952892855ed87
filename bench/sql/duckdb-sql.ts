import { join } from 'node:path';
import { duckdb } from '../../src/lang/engines/sql/dialects/duckdb.ts';
import { loadPeer } from '../peers/load-peer.ts';
import type { Reads } from './sql-case.ts';
import type { SqlDatabase } from './sql-database.ts';

interface Connection {
  runAndReadAll(
    sql: string,
    values: readonly unknown[],
    types: Readonly<Record<number, unknown>>,
  ): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

interface Module {
  readonly DOUBLE: unknown;
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection>; closeSync(): void }> };
}

const TYPES = {
  country: 'VARCHAR',
  plan: 'VARCHAR',
  amount: 'DOUBLE',
  amount_text: 'VARCHAR',
  quantity: 'DOUBLE',
  url: 'VARCHAR',
  is_paid: 'BOOLEAN',
  signed_up: 'VARCHAR',
};

const SELECTED = {
  columns: Object.keys(TYPES).join(', '),
  json: 'properties',
  map: 'CAST(properties AS MAP(VARCHAR, VARCHAR)) AS properties',
};

/** Returns reads that cast strings. */
function castReads(text: Reads['text']): Reads {
  return {
    text,
    number: (name) => `TRY_CAST(${text(name)} AS DOUBLE)`,
    boolean: (name) => `TRY_CAST(${text(name)} AS BOOLEAN)`,
    time: (name) => `TRY_CAST(${text(name)} AS TIMESTAMP)`,
  };
}

const identity = (name: string) => name;

/** DuckDB with its own file. */
export const DUCKDB_SQL: SqlDatabase = {
  dialect: duckdb,
  reads: {
    columns: {
      text: identity,
      number: (name) => (name === 'amount' ? 'coalesce(amount, TRY_CAST(amount_text AS DOUBLE))' : name),
      boolean: identity,
      time: (name) => `TRY_CAST(${name} AS TIMESTAMP)`,
    },
    json: castReads((name) => `(properties ->> '$.${name}')`),
    map: castReads((name) => `properties['${name}']`),
  },
  load(layout, file) {
    const types = Object.entries({ ...TYPES, properties: 'JSON' }).map(([name, type]) => `${name}: '${type}'`);
    return [
      `CREATE TABLE "${layout}" AS SELECT ${SELECTED[layout]} FROM read_ndjson('${file}', columns = {${types.join(', ')}})`,
      'CHECKPOINT',
    ];
  },
  async open(folder) {
    const { DuckDBInstance, DOUBLE } = await loadPeer<Module>('@duckdb/node-api');
    const instance = await DuckDBInstance.create(join(folder, 'duckdb'));
    const connection = await instance.connect();
    return {
      async query(sql, parameters) {
        const numbers = parameters.flatMap((value, index) => (typeof value === 'number' ? [[index, DOUBLE]] : []));
        return (await connection.runAndReadAll(sql, parameters, Object.fromEntries(numbers))).getRows();
      },
      close() {
        connection.closeSync();
        instance.closeSync();
      },
    };
  },
};
