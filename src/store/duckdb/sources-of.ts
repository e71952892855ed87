import type { SqlSource } from '../../engines/sql/sql-source.ts';
import { columnsOfPromoted } from '../promoted.ts';
import type { VersionSources } from '../reading.ts';
import type { RecordKind } from '../store.ts';
import type { Connection } from './database.ts';
import { promotedOf } from './promoted-of.ts';

/** Where the records of a version are, for the SQL of expressions. */
export async function sourcesOf(connection: Connection, schema: string): Promise<VersionSources> {
  const promoted = await promotedOf(connection, schema);
  const source = (kind: RecordKind): SqlSource => ({
    table: [JSON.parse(schema), kind],
    properties: { columns: columnsOfPromoted(promoted[kind]), rest: { kind: 'json', column: 'properties' } },
  });
  return { events: source('events'), people: source('people') };
}
