import { DOUBLE, type DuckDBAppender, DuckDBInstance, DuckDBMapValue, MAP, VARCHAR } from '@duckdb/node-api';
import { duckdb } from '../../../../src/lang/engines/sql/dialects/duckdb.ts';
import type { Cell, ColumnType, Database } from './database.ts';

const TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'INTEGER',
  double: 'DOUBLE',
  text: 'VARCHAR',
  boolean: 'BOOLEAN',
  json: 'JSON',
  map: 'MAP(VARCHAR, VARCHAR)',
};

/** Opens DuckDB in this process, creates the functions of the dialect, and runs the statements. */
export async function openDuckdb(...statements: readonly string[]): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  for (const statement of [...duckdb.setup, ...statements]) await connection.run(statement);
  const { quoteName } = duckdb;
  return {
    dialect: duckdb,
    holdsNul: true,
    async createTable(name, columns, rows) {
      const list = columns.map((column) => `${quoteName(column.name)} ${TYPES[column.type]}`).join(', ');
      await connection.run(`CREATE OR REPLACE TABLE ${quoteName(name)} (${list})`);
      const appender = await connection.createAppender(name);
      for (const row of rows) {
        for (const [index, cell] of row.entries()) append(appender, cell, columns[index]?.type);
        appender.endRow();
      }
      appender.closeSync();
    },
    async query(sql, parameters) {
      const types = Object.fromEntries(
        parameters
          .map((value, index) => [index, value] as const)
          .filter(([, value]) => typeof value === 'number')
          .map(([index]) => [index, DOUBLE]),
      );
      // Read rows as JSON, because the driver drops a leading U+FEFF of a string.
      const reader = await connection.runAndReadAll(
        `SELECT CAST(to_json(answer) AS VARCHAR) FROM (${sql}) AS answer`,
        [...parameters],
        types,
      );
      return reader.getRows().map(([json]) => JSON.parse(String(json)));
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function append(appender: DuckDBAppender, cell: Cell, type?: ColumnType): void {
  if (cell === null) appender.appendNull();
  else if (typeof cell === 'string') appender.appendVarchar(cell);
  else if (typeof cell === 'boolean') appender.appendBoolean(cell);
  else if (typeof cell === 'object') appender.appendMap(toMapValue(cell), MAP(VARCHAR, VARCHAR));
  else if (type === 'integer') appender.appendInteger(cell);
  else appender.appendDouble(cell);
}

function toMapValue(cell: Readonly<Record<string, string>>): DuckDBMapValue {
  return new DuckDBMapValue(Object.entries(cell).map(([key, value]) => ({ key, value })));
}
