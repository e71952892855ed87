import { type Flushed, RECORD_KINDS } from '../store.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';
import { RecordTable } from './record-table.ts';

/** What is settled in the file of a version. */
export async function readFlushed(connection: DuckDbConnection, schema: string): Promise<Flushed> {
  const kinds = RECORD_KINDS.map(async (kind) => {
    const records = await new RecordTable(connection, schema, kind).count();
    const names = `SELECT max(name) FROM ${schema}.segments WHERE kind = ${quoteSqlString(kind)}`;
    const [[segment] = []] = await connection.rows(names);
    return [kind, { records, segment: String(segment ?? '') }];
  });
  return Object.fromEntries(await Promise.all(kinds));
}
