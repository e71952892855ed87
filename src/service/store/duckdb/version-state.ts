import type { SqlSource } from '../../../lang/engines/sql/sql-source.ts';
import { getPromotedColumns } from '../promoted.ts';
import type { Flushed, RecordKind } from '../store.ts';
import type { VersionSources } from '../store-snapshot.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';
import { readPromoted } from './read-promoted.ts';
import { RecordTable } from './record-table.ts';

/** The table of the names of flushed log files. Existing files have it under this name. */
export const LOG_FILES_TABLE = 'segments';

/** Returns the SQL tables of a version. */
export async function getSources(connection: DuckDbConnection, schema: string): Promise<VersionSources> {
  const promoted = await readPromoted(connection, schema);
  const source = (kind: RecordKind): SqlSource => ({
    table: [JSON.parse(schema), kind],
    properties: { columns: getPromotedColumns(promoted[kind]), rest: { kind: 'json', column: 'properties' } },
  });
  return { events: source('events'), people: source('people') };
}

/** Reads which records are in the file of a version. */
export async function readFlushed(connection: DuckDbConnection, schema: string): Promise<Flushed> {
  const read = async (kind: RecordKind) => {
    const records = await new RecordTable(connection, schema, kind).count();
    const names = `SELECT max(name) FROM ${schema}.${LOG_FILES_TABLE} WHERE kind = ${quoteSqlString(kind)}`;
    const [[lastFile] = []] = await connection.rows(names);
    return { records, lastFile: String(lastFile ?? '') };
  };
  return { events: await read('events'), people: await read('people') };
}
