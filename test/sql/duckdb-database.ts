import { DOUBLE, DuckDBInstance, DuckDBListValue, type DuckDBValue } from '@duckdb/node-api';
import { duckdb } from '../../src/engines/sql/dialects/duckdb.ts';
import type { Cell, ColumnType, Database } from './database.ts';

const TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'INTEGER',
  double: 'DOUBLE',
  text: 'VARCHAR',
  boolean: 'BOOLEAN',
  json: 'JSON',
  map: 'MAP(VARCHAR, VARCHAR)',
};

/** DuckDB in this process. */
export async function openDuckdb(): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  for (const statement of duckdb.setup) await connection.run(statement);
  const { quoteName } = duckdb;
  return {
    dialect: duckdb,
    holdsNul: true,
    async createTable(name, columns, rows) {
      const list = columns.map((column) => `${quoteName(column.name)} ${TYPES[column.type]}`).join(', ');
      await connection.run(`CREATE OR REPLACE TABLE ${quoteName(name)} (${list})`);
      const places = columns.map(({ type }, index) =>
        type === 'map' ? `map_from_entries(json($${index + 1})::STRUCT(k VARCHAR, v VARCHAR)[])` : `$${index + 1}`,
      );
      const insert = await connection.prepare(`INSERT INTO ${quoteName(name)} VALUES (${places.join(', ')})`);
      await connection.run('BEGIN');
      for (const row of rows) {
        insert.bind(row.map(bound), row.map((cell) => (typeof cell === 'number' ? DOUBLE : undefined)) as never);
        await insert.run();
      }
      await connection.run('COMMIT');
    },
    async query(sql, parameters) {
      const types = Object.fromEntries(
        parameters
          .map((value, index) => [index, value] as const)
          .filter(([, value]) => typeof value === 'number')
          .map(([index]) => [index, DOUBLE]),
      );
      const reader = await connection.runAndReadAll(sql, [...parameters], types);
      const names = reader.columnNames();
      return reader
        .getRows()
        .map((row) => Object.fromEntries(row.map((cell, index) => [names[index] ?? '', plain(cell)])));
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function bound(cell: Cell): DuckDBValue {
  if (typeof cell !== 'object' || cell === null) return cell;
  return JSON.stringify(Object.entries(cell).map(([k, v]) => ({ k, v })));
}

function plain(cell: DuckDBValue): unknown {
  return cell instanceof DuckDBListValue ? [...cell.items] : cell;
}
