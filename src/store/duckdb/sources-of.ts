import type { SqlSource } from '../../engines/sql/sql-source.ts';
import { getPromotedColumns } from '../promoted.ts';
import type { VersionSources } from '../reading.ts';
import type { RecordKind } from '../store.ts';
import type { DuckDbConnection } from './database.ts';
import { readPromoted } from './promoted-of.ts';

/** Where the records of a version are, for the SQL of expressions. */
export async function getSources(connection: DuckDbConnection, schema: string): Promise<VersionSources> {
  const promoted = await readPromoted(connection, schema);
  const source = (kind: RecordKind): SqlSource => ({
    table: [JSON.parse(schema), kind],
    properties: { columns: getPromotedColumns(promoted[kind]), rest: { kind: 'json', column: 'properties' } },
  });
  return { events: source('events'), people: source('people') };
}
