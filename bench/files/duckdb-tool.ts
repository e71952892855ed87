import { type Columns, createSqlDialect } from '../peers/sql-dialect.ts';
import type { ColumnType, FileCase } from './file-case.ts';
import { resolveProjectPath, type Tool } from './tool.ts';

interface Variant {
  readonly name: string;
  /** Whether it is told the columns, or finds them out. */
  readonly told: boolean;
  /** Without it, as many as there are cores. */
  readonly threads?: number;
}

function columnsOf(types: FileCase['columns']): Columns {
  const as = (type: ColumnType) => (name: string) =>
    types[name] === type ? `properties."${name}"::${type}` : `NULL::${type}`;
  return { number: as('DOUBLE'), text: as('VARCHAR'), boolean: as('BOOLEAN') };
}

function source({ columns }: FileCase, file: string, told: boolean): string {
  if (!told) return `read_ndjson_auto('${file}')`;
  const fields = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return `read_ndjson('${file}', columns = {event: 'VARCHAR', properties: 'STRUCT(${fields.join(', ')})'})`;
}

/** The SQL of a case; what is answered comes as one row of one column. */
function sqlOf(testCase: FileCase, from: string): string {
  if (testCase.command === 'segment') {
    const counts = `SELECT properties."${testCase.property}" AS name, count(*) AS count FROM ${from} GROUP BY ALL`;
    return `SELECT json_group_object(name, count) FROM (${counts})`;
  }
  const selected = `FROM ${from} WHERE ${testCase.filterCase.filter(createSqlDialect(columnsOf(testCase.columns)))}`;
  if (testCase.command === 'count') return `SELECT count(*) ${selected}`;
  return `COPY (SELECT * ${selected}) TO '/dev/stdout' (FORMAT json)`;
}

function tool({ name, told, threads }: Variant): Tool {
  const program = [process.execPath, resolveProjectPath('bench/.build/files/duckdb-process.js')] as const;
  return {
    name,
    command: (testCase, file) => [...program, sqlOf(testCase, source(testCase, file, told)), String(threads ?? '')],
  };
}

/** DuckDB reading the file itself. */
export const DUCKDB_TOOLS: readonly Tool[] = [
  tool({ name: 'DuckDB, all threads', told: true }),
  tool({ name: 'DuckDB, 1 thread', told: true, threads: 1 }),
  tool({ name: 'DuckDB, columns found out, all threads', told: false }),
  tool({ name: 'DuckDB, columns found out, 1 thread', told: false, threads: 1 }),
];
