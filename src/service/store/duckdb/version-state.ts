import type { SqlSource } from '../../../lang/engines/sql/sql-source.ts';
import { getPromotedColumns } from '../promoted.ts';
import { type Flushed, RECORD_KINDS, type RecordKind } from '../store.ts';
import type { VersionSources } from '../store-snapshot.ts';
import type { DuckDbConnection } from './database.ts';
import { readPromoted } from './promoted-table.ts';
import { quoteSqlString } from './quote-sql.ts';
import { getRollups } from './rollups.ts';

/** The table of the names of flushed log files. Existing files have it under this name. */
export const LOG_FILES_TABLE = 'segments';

/** Returns the SQL tables of a version. */
export async function getSources(
  connection: DuckDbConnection,
  schema: string,
): Promise<Pick<VersionSources, RecordKind | 'rollups'>> {
  const promoted = await readPromoted(connection, schema);
  const source = (kind: RecordKind): SqlSource => ({
    table: [JSON.parse(schema), kind],
    properties: { columns: getPromotedColumns(promoted[kind]), rest: { kind: 'json', column: 'properties' } },
  });
  const rollups = await getRollups(connection, schema, promoted.events);
  return { events: source('events'), people: source('people'), ...(rollups !== undefined && { rollups }) };
}

/** Reads which records are in the file of a version. */
export async function readFlushed(connection: DuckDbConnection, schema: string): Promise<Flushed> {
  const [events, people] = RECORD_KINDS.map((kind) => `(SELECT count(*) FROM ${schema}.${kind})`);
  const lastNames = RECORD_KINDS.map((kind) => `max(name) FILTER (kind = ${quoteSqlString(kind)})`);
  // One statement of joined rows takes half of the time of subqueries in a select list, and a third of four statements.
  const [row = []] = await connection.rows(
    `SELECT * FROM ${events}, ${people}, (SELECT ${lastNames.join(', ')} FROM ${schema}.${LOG_FILES_TABLE})`,
  );
  const read = (records: unknown, lastFile: unknown) => ({
    records: Number(records),
    lastFile: String(lastFile ?? ''),
  });
  return { events: read(row[0], row[2]), people: read(row[1], row[3]) };
}
