import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ClickHouseClient } from '@clickhouse/client';
import { clickhouse } from '../../src/lang/engines/sql/dialects/clickhouse.ts';
import type { ColumnType, Database } from '../lang/engines/sql/database.ts';

/** Whether ClickHouse is installed. It is optional because it takes half a gigabyte. */
export const HAS_CLICKHOUSE = existsSync(new URL('node_modules/chdb', import.meta.url));

if (!HAS_CLICKHOUSE) {
  console.warn('ClickHouse is not installed (npm ci in test/clickhouse): its tests are skipped.');
}

const TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'UInt32',
  double: 'Nullable(Float64)',
  text: 'Nullable(String)',
  boolean: 'Nullable(Bool)',
  json: 'Nullable(String)',
  map: 'Map(String, String)',
};

/** Dates in a time zone make statements long: 17 of them exceed the default of 256 KiB. */
const SETTINGS = { max_query_size: String(2 ** 23) };

/** Opens the official client, connected to ClickHouse in this process. */
export function openClient(): ClickHouseClient {
  const load = createRequire(import.meta.url);
  const { createChdbConnection } = load('chdb/connection');
  return load('@clickhouse/client').createClient({ connection: createChdbConnection({ path: ':memory:' }) });
}

/** Opens ClickHouse in this process as a database for the corpus. */
export function openClickhouse(): Promise<Database> {
  return createDatabase(openClient());
}

/** Uses a client as a database for the corpus. */
export async function createDatabase(client: ClickHouseClient): Promise<Database> {
  for (const query of clickhouse.setup) await client.command({ query });
  const { quoteName } = clickhouse;
  return {
    dialect: clickhouse,
    holdsNul: true,
    async createTable(name, columns, rows) {
      const list = columns.map((column) => `${quoteName(column.name)} ${TYPES[column.type]}`).join(', ');
      await client.command({ query: `CREATE OR REPLACE TABLE ${quoteName(name)} (${list}) ENGINE = Memory` });
      await client.insert({ table: quoteName(name), values: rows, format: 'JSONCompactEachRow' });
    },
    async query(query, parameters) {
      const query_params = Object.fromEntries(parameters.map((value, index) => [`p${index + 1}`, value]));
      const statement = { query, query_params, clickhouse_settings: SETTINGS, format: 'JSONEachRow' } as const;
      return (await client.query(statement)).json();
    },
    close: () => client.close(),
  };
}
