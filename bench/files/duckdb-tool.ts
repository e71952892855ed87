import { type Columns, createSqlDialect } from '../peers/sql-dialect.ts';
import type { ColumnType, FileCase } from './file-case.ts';
import { resolveProjectPath, type Tool } from './tool.ts';

interface Variant {
  readonly name: string;
  /** Whether the query names the columns. Otherwise, DuckDB detects them. */
  readonly hasColumns: boolean;
  /** By default, one per core. */
  readonly threads?: number;
}

function columnsOf(types: FileCase['columns']): Columns {
  const as = (type: ColumnType) => (name: string) =>
    types[name] === type ? `properties."${name}"::${type}` : `NULL::${type}`;
  return { number: as('DOUBLE'), text: as('VARCHAR'), boolean: as('BOOLEAN') };
}

function source({ columns }: FileCase, file: string, hasColumns: boolean): string {
  if (!hasColumns) return `read_ndjson_auto('${file}')`;
  const fields = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return `read_ndjson('${file}', columns = {event: 'VARCHAR', properties: 'STRUCT(${fields.join(', ')})'})`;
}

/** Returns the SQL of a case. Its result is one row with one column. */
function sqlOf(testCase: FileCase, from: string): string {
  if (testCase.command === 'segment') {
    const counts = `SELECT properties."${testCase.property}" AS name, count(*) AS count FROM ${from} GROUP BY ALL`;
    return `SELECT json_group_object(name, count) FROM (${counts})`;
  }
  const selected = `FROM ${from} WHERE ${testCase.filterCase.filter(createSqlDialect(columnsOf(testCase.columns)))}`;
  if (testCase.command === 'count') return `SELECT count(*) ${selected}`;
  return `COPY (SELECT * ${selected}) TO '/dev/stdout' (FORMAT json)`;
}

function tool({ name, hasColumns, threads }: Variant): Tool {
  const program = [process.execPath, resolveProjectPath('bench/.build/files/duckdb-process.js')] as const;
  return {
    name,
    command: (testCase, file) => [
      ...program,
      sqlOf(testCase, source(testCase, file, hasColumns)),
      String(threads ?? ''),
    ],
  };
}

/** DuckDB, which reads the file itself. */
export const DUCKDB_TOOLS: readonly Tool[] = [
  tool({ name: 'DuckDB, all threads', hasColumns: true }),
  tool({ name: 'DuckDB, 1 thread', hasColumns: true, threads: 1 }),
  tool({ name: 'DuckDB, columns found out, all threads', hasColumns: false }),
  tool({ name: 'DuckDB, columns found out, 1 thread', hasColumns: false, threads: 1 }),
];
